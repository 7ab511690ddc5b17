#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt::cli {

/// {systems, pairs, best, verdict, ...}.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

/// The table of systems, the corrected p-values of all pairs, and the verdict.
std::string comparison_text(const Comparison& comparison);

}  // namespace megadapt::cli
