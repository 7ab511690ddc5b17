#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// accuracy(n) = limit - drop n^-rate for n labels. It never falls as n grows, and limit <=
/// 1.
struct PowerLaw {
  double limit = 0;
  double drop = 0;
  double rate = 1;

  double operator()(double n) const { return limit - drop * std::pow(n, -rate); }
  /// Returns the n with this accuracy, or `most` if it is larger or does not exist.
  double labels_for(double accuracy, double most) const;
};

/// The least squares fit. `n` and `accuracy` have the same size, at least 2.
PowerLaw fit_power_law(const std::vector<double>& n, const std::vector<double>& accuracy);

/// How many labels the source replaces: how many more onlyi needs for the accuracy that
/// `best` has at its last point. Unset if a curve has fewer than three points.
std::optional<SourceWorth> source_worth(const SystemCurve& best, const SystemCurve& alone,
                                        int repeats, std::uint64_t seed);

}  // namespace megadapt
