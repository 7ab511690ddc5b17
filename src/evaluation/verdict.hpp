#pragma once

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Fills in what follows from the systems' results: pairs, best, error reductions and the
/// verdict. `hit` is [systems][test rows], empty for systems that did not run; `group` is
/// empty or [test rows].
void conclude(Comparison& comparison, const std::vector<std::vector<std::uint8_t>>& hit,
              std::span<const std::uint32_t> group, Criterion rank, std::uint64_t seed);

}  // namespace megadapt
