#pragma once

#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Fills in what follows from the systems' results: pairs, best, error reductions and
/// verdict. `hit` is [systems][test rows], empty for systems that did not run; `group` is
/// empty or [test rows].
void conclude(Comparison& comparison, const std::vector<std::vector<std::uint8_t>>& hit,
              std::span<const std::uint32_t> group, Criterion rank, std::uint64_t seed);

/// Fills in the best system, the size at which it reaches the accuracy of onlyi with all
/// rows, and the verdict. Interpolation between sizes is linear in the logarithm of the
/// size.
void conclude_curves(LearningCurves& curves, const std::string& target);

}  // namespace megadapt
