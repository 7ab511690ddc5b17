#include <algorithm>
#include <cmath>
#include <numeric>

#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

double kl_divergence(std::span<const double> p, std::span<const double> q,
                     double smoothing) {
  double features = 0;  // V
  for (std::size_t f = 0; f < p.size(); ++f) features += p[f] + q[f] > 0;
  const double p_total = sum(p) + smoothing * features;
  const double q_total = sum(q) + smoothing * features;
  double divergence = 0;
  for (std::size_t f = 0; f < p.size(); ++f) {
    if (!(p[f] + q[f] > 0)) continue;
    const double p_f = (p[f] + smoothing) / p_total;
    const double q_f = (q[f] + smoothing) / q_total;
    divergence += p_f * std::log(p_f / q_f);
  }
  return std::max(0.0, divergence);  // rounding may go below 0
}

double jensen_shannon(std::span<const double> p, std::span<const double> q) {
  const double p_total = sum(p);
  const double q_total = sum(q);
  if (!(p_total > 0) || !(q_total > 0)) return p_total > 0 || q_total > 0 ? 1 : 0;
  double divergence = 0;
  for (std::size_t f = 0; f < p.size(); ++f) {
    const double p_f = p[f] / p_total;
    const double q_f = q[f] / q_total;
    const double middle = (p_f + q_f) / 2;
    if (p_f > 0) divergence += p_f / 2 * std::log2(p_f / middle);
    if (q_f > 0) divergence += q_f / 2 * std::log2(q_f / middle);
  }
  return std::clamp(divergence, 0.0, 1.0);
}

double area_under_curve(std::span<const double> high, std::span<const double> low) {
  std::vector<double> sorted(low.begin(), low.end());
  std::sort(sorted.begin(), sorted.end());
  double won = 0;
  for (const double score : high) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), score);
    won +=
        static_cast<double>(first - sorted.begin()) + static_cast<double>(last - first) / 2;
  }
  return won / (static_cast<double>(high.size()) * static_cast<double>(low.size()));
}

}  // namespace megadapt
