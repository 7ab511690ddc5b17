#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// One system on one split: tuned and trained on its training part, tested on the rest.
struct Part {
  std::string left_out = {};  ///< why it could not run
  Tuned tuned = {};
  Predictions predictions = {};
  /// Predictions of the same settings without unlabelled rows; empty if the fit uses none.
  Predictions without = {};
  double seconds = 0;
};

/// The sizes that the arrays of a part must have.
struct PartShape {
  std::size_t tested_rows = 0;
  std::uint32_t labels = 0;
  std::size_t train_rows = 0;
};

/// Keeps the finished parts of a comparison, one file each, in a directory of their own.
/// The file name has a digest of the options that the system reads, so a part stays valid
/// when other options change or systems are added.
class PartStore {
 public:
  /// Stores no files if options.resume is empty. All arguments must outlive the store.
  /// Throws UsageError when the directory holds parts of other data or of another version,
  /// or cannot be written.
  PartStore(const Dataset& train, std::uint32_t target, const Dataset* test,
            const CompareOptions& options);

  /// Returns the limit of work that a comparison with this limit of time noted in the
  /// directory before. If there is none, notes and returns what `find` returns.
  double limit_for(double seconds, const std::function<double()>& find) const;
  void save(std::size_t split, const System& system, const Part& part) const;
  /// Shares the parts of a split between all ranks. Afterwards load() finds them on every
  /// rank.
  void exchange(std::size_t split, const std::map<std::string, Part>& own,
                Communicator& ranks);
  /// Throws UsageError when the file is damaged or has another shape.
  std::optional<Part> load(std::size_t split, const System& system,
                           const PartShape& shape) const;

 private:
  std::string name(std::size_t split, const System& system) const;
  std::string path(std::size_t split, const System& system) const;
  /// Identifies a stored part: its name and the digest of the comparison.
  std::string origin(std::size_t split, const System& system) const;

  const CompareOptions& options_;
  bool has_test_;
  std::string digest_;  // of the data; empty when nothing is stored
  std::map<std::string, std::string> received_;  // by path
};

/// Returns, as text, all options that the parts of `system` depend on: the options that the
/// system reads, those of tuning, and those of splitting the rows.
std::string part_options(const System& system, const CompareOptions& options,
                         bool has_test);

}  // namespace megadapt
