#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace megadapt {

/// What is resampled as one: an example, or all examples of a document or author.
struct ResampledUnit {
  std::uint32_t examples = 1;
  std::uint32_t correct = 0;
};

/// Where the middle 95% of 1000 resampled accuracies lie (percentile bootstrap).
/// `units` must not be empty.
std::array<double, 2> bootstrap_interval(const std::vector<ResampledUnit>& units,
                                         std::uint64_t seed);

}  // namespace megadapt
