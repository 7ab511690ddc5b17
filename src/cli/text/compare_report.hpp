#pragma once

#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt::cli {

/// The table of systems, the corrected p-values of all pairs, and the verdict.
std::string comparison_text(const Comparison& comparison);

}  // namespace megadapt::cli
