#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "optimize/maxent.hpp"

namespace megadapt::testing_support {

inline constexpr double kSameWeights =
    1e-5;  // fits end within 1e-14 of the optimal objective

/// The largest difference of two vectors; infinite where they differ in length.
inline double most_apart(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// The weights of a maximum entropy model of `rows`, fitted as tightly as it gets.
inline std::vector<double> plain_fit(const Dataset& data, std::span<const std::size_t> rows,
                                     double variance, std::span<const double> mean = {}) {
  MaxentOptions options;
  options.prior = {variance, mean};
  options.precision = Precision::double_;
  options.tolerance = 1e-14;
  return MaxentProblem(data, rows, Execution(1)).fit({}, options, Execution(1)).weights;
}

}  // namespace megadapt::testing_support
