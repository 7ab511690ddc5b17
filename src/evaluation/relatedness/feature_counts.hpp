#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// The number of rows of each domain in which a feature is present (x_f > 0). The bias and
/// tag features count as absent: they say nothing about the text.
struct FeatureCounts {
  std::vector<std::vector<double>> present;  // [K][F]; sums of row weights
  std::vector<double> rows;                  // [K]; total weight
};

FeatureCounts count_features(const Dataset& data);

/// Returns the features whose presence tells most about which of two domains a row is from.
/// With equally likely domains the information in bits is
///   H((a + b) / 2) - (H(a) + H(b)) / 2,
/// where a and b are the shares of rows with the feature, (count + 1/2) / (rows + 1).
std::vector<SeparatingFeature> separating_features(const Dataset& data,
                                                   const FeatureCounts& counts,
                                                   std::uint32_t a, std::uint32_t b,
                                                   std::size_t top);

}  // namespace megadapt
