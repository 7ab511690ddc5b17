#include "optimize/information_prior.hpp"

#include <algorithm>
#include <cmath>

namespace megadapt {

// I_f = sum_y n_fy (1 - n_fy / n_f), where n_fy counts the rows of label y that have f: the
// Fisher information about the weights of f in a model whose only feature is f.
std::vector<double> information_factor(const Dataset& data,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks) {
  if (exponent == 0) return {};
  const std::size_t Y = data.num_labels();
  std::vector<double> count(data.num_features() * Y);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    for (const std::uint32_t f : data.rows[n].features) {
      count[f * Y + data.label[n]] += row_weight[n];
    }
  }
  ranks.sum(count);
  std::vector<double> factor(data.num_features());
  double variance = 0, mass = 0;
  for (std::size_t f = 0; f < factor.size(); ++f) {
    double total = 0, squares = 0;
    for (std::size_t y = 0; y < Y; ++y) {
      total += count[f * Y + y];
      squares += count[f * Y + y] * count[f * Y + y];
    }
    const double information = total > 0 ? std::max(0.0, total - squares / total) : 0;
    factor[f] = std::pow(1 + information, exponent);
    variance += total / factor[f];
    mass += total;
  }
  if (mass > 0) {
    for (double& value : factor) value *= variance / mass;
  }
  return factor;
}

double gaussian_log_prior(std::span<const double> weights, const GaussianPrior& prior) {
  const std::size_t Y = prior.factor.empty() ? 1 : weights.size() / prior.factor.size();
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double distance = weights[i] - (prior.mean.empty() ? 0 : prior.mean[i]);
    sum += (prior.factor.empty() ? 1 : prior.factor[i / Y]) * distance * distance;
  }
  return -sum / (2 * prior.variance);
}

}  // namespace megadapt
