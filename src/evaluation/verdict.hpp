#pragma once

#include <string>

#include "megadapt/comparison.hpp"
#include "megadapt/strategies.hpp"

namespace megadapt {

/// 0.532 -> "53.2%"
std::string percent(double share);

/// Fills in the pairs, without their corrected p. `hit` is [systems][test rows], empty for
/// systems that did not run; `group` is empty or [test rows].
void test_pairs(Comparison& comparison, const std::vector<std::vector<std::uint8_t>>& hit,
                std::span<const std::uint32_t> group, std::uint64_t seed);

/// Fills in what follows from the systems' results, their pairs and `rank`: corrected p,
/// best, error reductions, verdict and evidence.
void conclude(Comparison& comparison);

/// Fills in the best system, the size at which it reaches the accuracy of onlyi with all
/// rows, and the verdict. Interpolation between sizes is linear in the logarithm of the
/// size.
void conclude_curves(LearningCurves& curves, const std::string& target);

/// Fills in the verdict.
void conclude_strategies(Strategies& strategies);

}  // namespace megadapt
