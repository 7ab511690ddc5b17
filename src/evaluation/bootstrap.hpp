#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace megadapt {

/// The unit of resampling: one example, or all examples of a document or author.
struct ResampledUnit {
  std::uint32_t examples = 1;
  std::uint32_t correct = 0;
};

/// Returns the 2.5% and 97.5% quantiles of 1000 resampled accuracies (percentile
/// bootstrap). `units` must not be empty.
std::array<double, 2> bootstrap_interval(const std::vector<ResampledUnit>& units,
                                         std::uint64_t seed);

}  // namespace megadapt
