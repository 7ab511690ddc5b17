#pragma once

#include <map>
#include <optional>
#include <string>

#include "evaluation/part.hpp"

namespace megadapt {

/// What tells one comparison from another: the rows, the target and every option that
/// changes a number. Not the systems: more of them may be asked for later.
std::string comparison_digest(const Dataset& train, std::uint32_t target,
                              const Dataset* test, const CompareOptions& options);

/// Finished parts of a comparison, one JSON file each, in a directory of their own.
class PartStore {
 public:
  /// `directory` empty: keeps nothing. Throws UsageError when the directory holds another
  /// comparison or cannot be written.
  PartStore(std::string directory, const std::string& digest);

  void save(std::size_t split, const std::string& system, const Part& part) const;
  /// Takes parts of a split from those who ran them, and gives them to all ranks: load()
  /// will know them.
  void exchange(std::size_t split, const std::map<std::string, Part>& own,
                Communicator& ranks);
  /// UsageError when the file is damaged. Only the settings of Tuned::options are kept:
  /// `base` gives the rest.
  std::optional<Part> load(std::size_t split, const std::string& system,
                           const AdaptationOptions& base) const;

 private:
  std::string path(std::size_t split, const std::string& system) const;
  std::string directory_;
  std::map<std::string, std::string> received_;  // by path
};

}  // namespace megadapt
