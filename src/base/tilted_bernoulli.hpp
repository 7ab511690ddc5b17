#pragma once

#include <algorithm>
#include <cmath>

namespace megadapt {

/// Estimated probabilities stay at least this far from 0 and 1.
inline constexpr double kProbabilityMargin = 1e-12;

/// The t in (0, 1) that maximises  P log t + (T - P) log(1 - t) - S t.
///
/// Both closed-form M-steps are this one problem (docs/derivation.md §4):
///   general_share (pi)   P = sum h_n,  T = N,
///                        S = sum_n [p(x_n|g) - p(x_n|d)] / p_old(x_n)
///   presence (psi_f)     P, T weighted counts plus the Beta prior,  S = B1 - B0
/// Its derivative vanishes where S t^2 - (T + S) t + P = 0, which changes sign once on
/// (0, 1). Neither branch subtracts near-equal numbers; as S goes to 0, t goes to P / T.
/// P = T rounds to just above 1, so the result is clamped. With T = 0 there is nothing to
/// estimate, and the caller keeps the old value.
///
/// D&M06 §5.2 and §5.4 print other coefficients, which can leave (0, 1) (derivation §8).
inline double tilted_bernoulli_mode(double successes, double trials, double slope) {
  const double b = trials + slope;
  const double root = std::sqrt(std::max(0.0, b * b - 4 * slope * successes));
  const double t = b < 0 ? (b - root) / (2 * slope)  // slope < -trials: avoid b + root
                         : 2 * successes / (b + root);
  return std::clamp(t, kProbabilityMargin, 1 - kProbabilityMargin);
}

}  // namespace megadapt
