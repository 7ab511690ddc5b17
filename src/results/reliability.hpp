#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {

/// The rows a comparison tested on, in the order of its predictions, and by which training
/// rows each was predicted.
struct TestedRows {
  const Dataset& data;  ///< the test set, or the training data where folds were used
  std::vector<std::size_t> rows;  ///< of `data`
  std::vector<Split> splits;      ///< held_out of all of them, one after another, is `rows`
  bool folds = false;  ///< else split 0 trains on everything and `train` is empty
};

TestedRows tested_rows(const Dataset& train, std::uint32_t target, const Dataset* test,
                       const CompareOptions& options);

/// {"bins": [{from, to, count, confidence, accuracy}], "calibration_error": x}
nlohmann::ordered_json reliability_json(const Reliability& reliability);
/// The same of predictions.
nlohmann::ordered_json reliability_json(const Predictions& predictions,
                                        const TestedRows& tested, std::uint32_t num_labels);

/// P(general | row) in twenty bins, with how many rows of each were predicted right.
nlohmann::ordered_json gate_bins_json(std::span<const double> general,
                                      const Predictions& predictions,
                                      const TestedRows& tested);

}  // namespace megadapt
