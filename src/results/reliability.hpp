#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {

/// The rows that a comparison tested on, in the order of its predictions, and the training
/// rows that each was predicted from.
struct TestedRows {
  const Dataset& data;  ///< the test set, or the training data where folds were used
  std::vector<std::size_t> rows;  ///< rows of `data`
  std::vector<Split> splits;      ///< their held_out, concatenated, is `rows`
  bool folds = false;  ///< if false, split 0 trains on everything; its `train` is empty
};

TestedRows tested_rows(const Dataset& train, std::uint32_t target, const Dataset* test,
                       const CompareOptions& options);

/// {"bins": [{from, to, count, confidence, accuracy}], "calibration_error": x}
nlohmann::ordered_json reliability_json(const Reliability& reliability);
/// The same, computed from predictions.
nlohmann::ordered_json reliability_json(const Predictions& predictions,
                                        const TestedRows& tested, std::uint32_t num_labels);

/// P(general | row) in twenty bins, with the number of correct rows in each.
nlohmann::ordered_json gate_bins_json(std::span<const double> general,
                                      const Predictions& predictions,
                                      const TestedRows& tested);

}  // namespace megadapt
