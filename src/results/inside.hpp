#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "megadapt/execution.hpp"
#include "megadapt/explanation.hpp"
#include "results/reliability.hpp"

namespace megadapt {

/// What the best system, and a system with a gate, look like inside. A comparison keeps
/// predictions alone, so both are fitted again as it had tuned them.
struct Inside {
  std::string explained;                      ///< the system; empty when none can be
  std::vector<Explanation> explanations;      ///< [chosen]
  std::string gated;                          ///< likewise
  std::vector<double> general;                ///< [tested rows]; P(general | row)
  std::optional<double> share;                ///< pi of the target
  std::vector<nlohmann::ordered_json> trace;  ///< sub-steps of the gated system's training
};

/// `chosen` are places in tested.rows, ascending, of the rows to explain. With folds each
/// row is explained by a fit that had not seen it.
Inside look_inside(const Dataset& train, std::uint32_t target, const TestedRows& tested,
                   const Comparison& comparison, const std::vector<std::size_t>& chosen,
                   const Execution& exec);

/// The test rows that the page lists: columns of numbers over a table of feature names, as
/// docs/report.md describes under "rows". `chosen` as for look_inside(), `texts` as in
/// ReportOptions.
nlohmann::ordered_json row_browser_json(const Dataset& train, const TestedRows& tested,
                                        const Comparison& comparison, Inside& inside,
                                        const std::vector<std::size_t>& chosen,
                                        const std::vector<std::string>& texts);

}  // namespace megadapt
