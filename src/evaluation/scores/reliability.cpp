#include <algorithm>
#include <cmath>

#include "megadapt/evaluation.hpp"

namespace megadapt {

void ReliabilityCounter::add(double probability, bool right) {
  const auto bin =
      static_cast<std::size_t>(probability * static_cast<double>(bins_.size()));
  Sums& sums = bins_[std::min(bin, bins_.size() - 1)];
  ++sums.count;
  sums.confidence += probability;
  sums.right += right;
}

Reliability ReliabilityCounter::result() const {
  const auto width = 1 / static_cast<double>(bins_.size());
  Reliability result;
  std::size_t rows = 0;
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    const Sums& sums = bins_[b];
    if (sums.count == 0) continue;
    const auto count = static_cast<double>(sums.count);
    rows += sums.count;
    result.calibration_error += std::abs(sums.confidence - sums.right);
    result.bins.push_back({static_cast<double>(b) * width,
                           static_cast<double>(b + 1) * width, sums.count,
                           sums.confidence / count, sums.right / count});
  }
  if (rows > 0) result.calibration_error /= static_cast<double>(rows);
  return result;
}

}  // namespace megadapt
