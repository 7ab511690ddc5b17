#include "optimize/information_prior.hpp"

#include <algorithm>
#include <cmath>

namespace megadapt {

// I_f = sum_y n_fy (1 - n_fy / n_f), where n_fy counts the rows of label y that have f. A row
// with an uncertain label counts for each label by its share. I_f is the Fisher information
// about the weights of f in a model whose only feature is f.
std::vector<double> information_factor(const LabelledRows& rows,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks) {
  if (exponent == 0) return {};
  const std::size_t Y = rows.num_labels;
  std::vector<double> count(rows.num_features * Y);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const std::size_t n = rows.rows[i];
    if (row_weight[i] == 0) continue;
    const auto shares = rows.soft.of(n);
    for (const std::uint32_t f : rows.data[n].features) {
      if (shares.empty()) count[f * Y + rows.label[n]] += row_weight[i];
      for (const LabelShare& one : shares) {
        count[f * Y + one.label] += row_weight[i] * static_cast<double>(one.share);
      }
    }
  }
  ranks.sum(count);
  std::vector<double> factor(rows.num_features);
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

std::vector<double> information_factor(const Dataset& data,
                                       std::span<const std::size_t> rows,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks) {
  if (exponent == 0) return {};
  std::vector<double> own;
  if (row_weight.empty()) {
    for (const std::size_t n : rows) own.push_back(static_cast<double>(data.weight[n]));
    row_weight = own;
  }
  const LabelledRows labelled{
      data.rows, data.num_features(), data.label, data.num_labels(), rows, data.soft};
  return information_factor(labelled, row_weight, exponent, ranks);
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
