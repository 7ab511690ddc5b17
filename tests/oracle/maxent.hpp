#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt::oracle {

/// Returns p(y | x_n) of weights [F][Y], summed literally.
inline std::vector<double> probabilities(const Dataset& data, std::size_t n,
                                         std::span<const double> weights) {
  const std::size_t Y = data.num_labels();
  std::vector<double> p(Y);
  const RowView row = data.rows[n];
  double total = 0;
  for (std::size_t y = 0; y < Y; ++y) {
    double score = 0;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const double x = row.values.empty() ? 1 : static_cast<double>(row.values[i]);
      score += x * weights[row.features[i] * Y + y];
    }
    p[y] = std::exp(score);
    total += p[y];
  }
  for (double& value : p) value /= total;
  return p;
}

/// sum_n w_n [-log p(y_n | x_n)] + |lambda - mean|^2 / (2 variance), summed literally.
inline double negative_log_posterior(const Dataset& data, std::span<const std::size_t> rows,
                                     std::span<const double> row_weight,
                                     std::span<const double> weights, double variance,
                                     std::span<const double> mean = {}) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto p = probabilities(data, rows[i], weights);
    sum -= row_weight[i] * std::log(p[data.label[rows[i]]]);
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double away = weights[i] - (mean.empty() ? 0 : mean[i]);
    sum += away * away / (2 * variance);
  }
  return sum;
}

}  // namespace megadapt::oracle
