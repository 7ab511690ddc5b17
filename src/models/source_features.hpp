#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/models.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// Appends the prediction `p` [Y] of one source as features from `first` on: an indicator
/// of its label, then Y probabilities.
void append_prediction(std::span<const double> p, SourceFeatures which, std::uint32_t first,
                       std::vector<std::uint32_t>& features, std::vector<float>& values);

}  // namespace megadapt
