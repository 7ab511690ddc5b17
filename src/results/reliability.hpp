#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/evaluation.hpp"
#include "results/tested_rows.hpp"

namespace megadapt {

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
