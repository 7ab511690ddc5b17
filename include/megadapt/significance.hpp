#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace megadapt {

/// McNemar's test of two systems on the same rows.
struct McNemar {
  std::size_t only_a = 0;  ///< rows that a alone has right
  std::size_t only_b = 0;
  bool exact = false;  ///< binomial; else chi-square with continuity correction
  double p = 1;        ///< two-sided
};

/// Rows that both have right or both have wrong say nothing; of the others, were the two
/// equally good, each is a fair coin. Up to 25 of them the binomial is summed exactly.
McNemar mcnemar(std::size_t only_a, std::size_t only_b);
/// Of two systems' hits (1 right, 0 wrong) on the same rows.
McNemar mcnemar(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

/// Holm's step-down correction: with these p-values the chance of any false alarm in the
/// whole family stays below the level each is compared with. In the order given.
std::vector<double> holm(std::span<const double> p);

/// The 95% percentile bootstrap interval of mean(a) - mean(b), rows resampled in pairs.
/// Rows of one group are resampled together; `group` is empty, or [rows] with kNone for
/// rows on their own.
std::array<double, 2> paired_interval(std::span<const double> a, std::span<const double> b,
                                      std::span<const std::uint32_t> group,
                                      std::uint64_t seed);

/// The share of the other's error that the better one avoids: 0.5 when half as many rows
/// are wrong, negative when more are; 0 when the other makes no error.
double error_reduction(double better_score, double other_score);

}  // namespace megadapt
