#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace megadapt {

/// The unit of resampling: one example, or all examples of a document or author.
struct ResampledUnit {
  std::uint32_t examples = 1;
  std::uint32_t correct = 0;
};

inline constexpr std::size_t kResamples = 1000;

/// Returns the 2.5% and 97.5% quantiles of kResamples resampled accuracies (percentile
/// bootstrap). `units` must not be empty.
std::array<double, 2> bootstrap_interval(const std::vector<ResampledUnit>& units,
                                         std::uint64_t seed);

}  // namespace megadapt
