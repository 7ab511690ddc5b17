#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "megadapt/classifier.hpp"
#include "megadapt/execution.hpp"
#include "results/reliability.hpp"

namespace megadapt {

/// Explanations by the best system, and gate values of a system with a gate. A comparison
/// keeps only predictions, so both are fitted again with their tuned settings.
struct Inside {
  std::string explained;                      ///< explained system; empty if none
  std::vector<Explanation> explanations;      ///< [chosen]
  std::string gated;                          ///< system with a gate; empty if none
  std::vector<double> general;                ///< [tested rows]; P(general | row)
  std::optional<double> share;                ///< pi of the target
  std::vector<nlohmann::ordered_json> trace;  ///< sub-steps of the gated system's training
};

/// Explains the rows at `chosen`, ascending indices into tested.rows. With folds, each row
/// is explained by a fit that has not seen it.
Inside look_inside(const Dataset& train, std::uint32_t target, const TestedRows& tested,
                   const Comparison& comparison, const std::vector<std::size_t>& chosen,
                   const Execution& exec);

/// Returns the test rows that the page lists: columns of numbers over a table of feature
/// names, as docs/report.md describes under "rows". `chosen` is as for look_inside(),
/// `texts` as in ReportOptions.
nlohmann::ordered_json row_browser_json(const Dataset& train, const TestedRows& tested,
                                        const Comparison& comparison, Inside& inside,
                                        const std::vector<std::size_t>& chosen,
                                        const std::vector<std::string>& texts);

}  // namespace megadapt
