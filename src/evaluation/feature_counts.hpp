#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/relatedness.hpp"

namespace megadapt {

/// In how many rows of each domain a feature is present (x_f > 0). The bias, and features
/// made of a tag, count as absent: they say nothing about the text.
struct FeatureCounts {
  std::vector<std::vector<double>> present;  // [K][F]; by row weight
  std::vector<double> rows;                  // [K]; total weight
};

FeatureCounts count_features(const Dataset& data);

/// The features of two domains whose presence tells most about the domain. In bits, both
/// domains being equally likely:  H((a + b) / 2) - (H(a) + H(b)) / 2  where a and b are the
/// shares of rows that have the feature, (count + 1/2) / (rows + 1).
std::vector<SeparatingFeature> separating_features(const Dataset& data,
                                                   const FeatureCounts& counts,
                                                   std::uint32_t a, std::uint32_t b,
                                                   std::size_t top);

}  // namespace megadapt
