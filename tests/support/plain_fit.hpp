#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "optimize/maxent.hpp"

namespace megadapt::testing_support {

// Tolerance for comparing weights: fits end within 1e-14 of the optimal objective.
inline constexpr double kSameWeights = 1e-5;

/// Returns the largest absolute difference of elements; infinity when the lengths differ.
inline double most_apart(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// Returns the weights of a maximum entropy model of `rows`, fitted to tolerance 1e-14.
inline std::vector<double> plain_fit(const Dataset& data, std::span<const std::size_t> rows,
                                     double variance, std::span<const double> mean = {},
                                     std::span<const double> factor = {}) {
  MaxentOptions options;
  options.prior = {variance, mean, factor};
  options.precision = Precision::double_;
  options.tolerance = 1e-14;
  return MaxentProblem(data, rows, Execution(1)).fit({}, options, Execution(1)).weights;
}

}  // namespace megadapt::testing_support
