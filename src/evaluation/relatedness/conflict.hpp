#pragma once

#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Measures how much the labels of domains conflict, for every source and target.
class ConflictMeter {
 public:
  /// Fits a model to each domain, and one to the rest of the domain for each of its folds.
  /// A domain that is too small for folds cannot be measured as a target. `data` must
  /// outlive the meter.
  ConflictMeter(const Dataset& data, const RelateOptions& options, const Execution& exec);

  /// Returns how much the labels of `source` contradict those of `target`; nothing if
  /// `target` is too small for folds.
  std::optional<Conflict> measure(std::uint32_t source, std::uint32_t target) const;

 private:
  struct Domain {
    std::vector<std::size_t> rows;       // those held out once, in the order of the folds
    std::vector<std::uint8_t> own_hits;  // [rows]; of models fitted without the row
    PredictorPtr whole;                  // fitted to all its rows
  };
  void fit(std::uint32_t domain);

  const Dataset& data_;
  const RelateOptions& options_;
  const Execution& exec_;
  Options fitting_;
  std::vector<Domain> domains_;
};

}  // namespace megadapt
