#pragma once

#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Measures how much the labels of domains conflict, for every source and target.
class ConflictMeter {
 public:
  /// Fits a model of each domain, and one without each fold of it. `data` must outlive the
  /// meter. Domains that are too small to hold rows out have no conflict as a target.
  ConflictMeter(const Dataset& data, const RelateOptions& options, const Execution& exec);

  /// Unset if `target` is too small.
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
