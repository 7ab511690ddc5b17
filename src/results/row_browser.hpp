#pragma once

#include <nlohmann/json.hpp>

#include "results/inside.hpp"

namespace megadapt {

/// The test rows that the page lists: columns of numbers over a table of feature names, as
/// docs/report.md describes under "rows". `chosen` as for look_inside(), `texts` as in
/// ReportOptions.
nlohmann::ordered_json row_browser_json(const Dataset& train, const TestedRows& tested,
                                        const Comparison& comparison, Inside& inside,
                                        const std::vector<std::size_t>& chosen,
                                        const std::vector<std::string>& texts);

}  // namespace megadapt
