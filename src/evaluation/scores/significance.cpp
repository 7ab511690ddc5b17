#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kMostExact = 25;
constexpr std::size_t kPairedResamples = 2000;

// Returns 2 P(X <= fewer) for X ~ Binomial(n, 1/2), at most 1.
double binomial_p(std::size_t fewer, std::size_t n) {
  double term = std::ldexp(1.0, -static_cast<int>(n));  // C(n, 0) / 2^n
  double tail = 0;
  for (std::size_t k = 0; k <= fewer; ++k) {
    tail += term;
    term *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return std::min(1.0, 2 * tail);
}

// P(chi-square with one degree of freedom > x) = erfc(sqrt(x / 2)), for
// x = (|a - b| - 1)^2 / (a + b).
double corrected_chi_square_p(std::size_t a, std::size_t b) {
  const double difference = static_cast<double>(std::max(a, b) - std::min(a, b));
  const double excess = std::max(0.0, difference - 1);
  return std::erfc(excess / std::sqrt(2 * static_cast<double>(a + b)));
}

struct DifferenceUnit {
  double sum = 0;
  std::size_t rows = 0;
};

std::vector<DifferenceUnit> difference_units(std::span<const double> a,
                                             std::span<const double> b,
                                             std::span<const std::uint32_t> group) {
  std::vector<DifferenceUnit> units;
  std::vector<std::size_t> unit_of;  // [groups]; 1 + index of the unit, 0 if none yet
  for (std::size_t n = 0; n < a.size(); ++n) {
    std::size_t unit = units.size();
    if (!group.empty() && group[n] != kNone) {
      if (group[n] >= unit_of.size()) unit_of.resize(group[n] + std::size_t{1});
      if (unit_of[group[n]] == 0) unit_of[group[n]] = 1 + unit;
      unit = unit_of[group[n]] - 1;
    }
    if (unit == units.size()) units.emplace_back();
    units[unit].sum += a[n] - b[n];
    ++units[unit].rows;
  }
  return units;
}

}  // namespace

McNemar mcnemar(std::size_t only_a, std::size_t only_b) {
  McNemar test{.only_a = only_a, .only_b = only_b};
  test.exact = only_a + only_b <= kMostExact;
  test.p = test.exact ? binomial_p(std::min(only_a, only_b), only_a + only_b)
                      : corrected_chi_square_p(only_a, only_b);
  return test;
}

McNemar mcnemar(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  std::size_t only_a = 0;
  std::size_t only_b = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    only_a += a[n] && !b[n];
    only_b += b[n] && !a[n];
  }
  return mcnemar(only_a, only_b);
}

// The i-th smallest (from 0) of m values is multiplied by m - i; results never decrease.
std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<double> corrected(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(p.size() - i) * p[order[i]]);
    corrected[order[i]] = std::min(1.0, largest);
  }
  return corrected;
}

std::array<double, 2> paired_interval(std::span<const double> a, std::span<const double> b,
                                      std::span<const std::uint32_t> group,
                                      std::uint64_t seed) {
  const std::vector<DifferenceUnit> units = difference_units(a, b, group);
  if (units.empty()) return {0, 0};
  Random random(seed);
  std::vector<double> mean(kPairedResamples);
  for (double& value : mean) {
    DifferenceUnit drawn;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const auto& unit = units[random.below(static_cast<std::uint32_t>(units.size()))];
      drawn.sum += unit.sum;
      drawn.rows += unit.rows;
    }
    value = drawn.sum / static_cast<double>(drawn.rows);
  }
  std::sort(mean.begin(), mean.end());
  return {mean[kPairedResamples * 25 / 1000 - 1], mean[kPairedResamples * 975 / 1000 - 1]};
}

double error_reduction(double better_score, double other_score) {
  const double other_error = 1 - other_score;
  return other_error > 0 ? (better_score - other_score) / other_error : 0;
}

}  // namespace megadapt
