#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// The features the gate may see, ascending: never the bias, a feature of the previous tag
/// (so z is one number per token, D&M06 §3.3) or one that no row has; of the rest the
/// `count` with the most information about the domain of a row (D&M06 §6.3), or all for 0.
std::vector<std::uint32_t> choose_gate_features(const Dataset& data, std::size_t count,
                                                const Execution& exec);

}  // namespace megadapt
