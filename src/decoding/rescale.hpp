#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace megadapt {

/// Divides by the largest value and adds its logarithm to `log_scale`; false, and nothing
/// done, when no value is above 0.
inline bool rescale_by_largest(std::span<double> values, double& log_scale) {
  const double largest = *std::max_element(values.begin(), values.end());
  if (!(largest > 0)) return false;
  for (double& value : values) value /= largest;
  log_scale += std::log(largest);
  return true;
}

}  // namespace megadapt
