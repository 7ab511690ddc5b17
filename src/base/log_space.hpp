#pragma once

#include <algorithm>
#include <cmath>

namespace megadapt {

/// 1 / (1 + exp(-x)), without overflow; 0 and 1 at the infinities.
inline double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

/// log(p / (1 - p)); minus and plus infinity at 0 and 1.
inline double logit(double p) { return std::log(p) - std::log1p(-p); }

/// log sigmoid(x) = -log(1 + exp(-x)), without overflow.
inline double log_sigmoid(double x) {
  return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}

/// log(exp(a) + exp(b)); either may be minus infinity.
inline double log_add(double a, double b) {
  const double most = std::max(a, b);
  if (most == -INFINITY) return most;
  return most + std::log1p(std::exp(std::min(a, b) - most));
}

}  // namespace megadapt
