#pragma once

#include <map>
#include <optional>
#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// One system on one split: tuned and trained on its training part, tested on the other.
struct Part {
  std::string left_out = {};  ///< why it could not run
  Tuned tuned = {};
  Predictions predictions = {};
  double seconds = 0;
};

/// How large a part must be.
struct PartShape {
  std::size_t tested_rows = 0;
  std::uint32_t labels = 0;
  std::size_t train_rows = 0;
};

/// Finished parts of a comparison, one file each, in a directory of their own. A part is
/// found again by a digest of the options that its system reads: other options or more
/// systems leave it as it is.
class PartStore {
 public:
  /// Keeps nothing where options.resume is empty. Everything must outlive the store. Throws
  /// UsageError when the directory holds parts of other data or of another version, or
  /// cannot be written.
  PartStore(const Dataset& train, std::uint32_t target, const Dataset* test,
            const CompareOptions& options);

  void save(std::size_t split, const System& system, const Part& part) const;
  /// Takes parts of a split from those who ran them, and gives them to all ranks: load()
  /// will know them.
  void exchange(std::size_t split, const std::map<std::string, Part>& own,
                Communicator& ranks);
  /// UsageError when the file is damaged or of another shape.
  std::optional<Part> load(std::size_t split, const System& system,
                           const PartShape& shape) const;

 private:
  std::string path(std::size_t split, const System& system) const;

  const CompareOptions& options_;
  bool has_test_;
  std::map<std::string, std::string> received_;  // by path
};

/// The options that change a part of `system`, as text: what the system reads, how it is
/// tuned and how rows are split.
std::string part_options(const System& system, const CompareOptions& options,
                         bool has_test);

}  // namespace megadapt
