#include "systems/feature_copies.hpp"

#include <algorithm>
#include <cmath>

#include "optimize/information_prior.hpp"

namespace megadapt {
namespace {

// Returns rows over [F] shared features, then [F] for each of `domains`. The values of
// specific copies are multiplied by `scale`: a weight u of variance v on x * scale acts as
// a weight u * scale of variance v * scale^2 on x.
SparseRows copy_features(const Dataset& data, std::span<const std::uint32_t> domains,
                         float scale) {
  std::vector<std::uint32_t> first(data.num_domains(), kNone);  // specific feature
  for (std::size_t i = 0; i < domains.size(); ++i) {
    first[domains[i]] = data.num_features() * static_cast<std::uint32_t>(1 + i);
  }
  SparseRows rows;
  RowBuilder builder(rows);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    const std::uint32_t specific = first[data.domain[n]];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const float x = row.values.empty() ? 1 : row.values[i];
      builder.add(row.features[i], x);
      if (specific != kNone) builder.add(row.features[i] + specific, x * scale);
    }
    builder.end();
  }
  // Store the values even if all are 1, so that every scale uses the same kernel.
  rows.value.resize(rows.feature.size(), 1.0f);
  return rows;
}

double specific_scale(const Options& options) {
  return std::sqrt(*options.specific_variance / options.variance);
}

}  // namespace

FeatureCopies::FeatureCopies(const Dataset& data, std::vector<std::uint32_t> domains,
                             const Options& options, const Execution& exec)
    : data_(data),
      domains_(std::move(domains)),
      options_(options),
      scale_(specific_scale(options)),
      rows_(copy_features(data, domains_, static_cast<float>(scale_))),
      problem_(rows_, data.num_features() * static_cast<std::uint32_t>(1 + domains_.size()),
               all_rows(data), data.label, data.num_labels(), exec, data.soft) {}

std::vector<double> FeatureCopies::prior_factor(std::span<const double> row_weight,
                                                Communicator& ranks) const {
  const double exponent = options_.prior_exponent;
  std::vector<double> factor =
      information_factor(data_, all_rows(data_), row_weight, exponent, ranks);
  for (const std::uint32_t d : domains_) {
    const std::vector<std::size_t> rows = data_.rows_of(d);
    std::vector<double> own;
    for (const std::size_t n : rows) own.push_back(row_weight[n]);
    const auto specific = information_factor(data_, rows, own, exponent, ranks);
    factor.insert(factor.end(), specific.begin(), specific.end());
  }
  return factor;
}

std::vector<double> FeatureCopies::fit(std::span<const double> row_weight,
                                       std::span<const double> start, double tolerance,
                                       const FitContext& context) const {
  Options options = options_;
  options.tolerance = tolerance;
  const std::size_t shared = std::size_t{data_.num_features()} * data_.num_labels();
  std::vector<double> scaled(start.begin(), start.end());
  for (std::size_t i = shared; i < scaled.size(); ++i) scaled[i] /= scale_;
  const std::vector<double> factor = prior_factor(row_weight, context.exec.ranks());
  std::vector<double> weights = solve(problem_, row_weight, {options_.variance, {}, factor},
                                      scaled, options, context);
  for (std::size_t i = shared; i < weights.size(); ++i) weights[i] *= scale_;
  return weights;
}

std::vector<double> FeatureCopies::expert(std::span<const double> weights,
                                          std::size_t i) const {
  const std::size_t size = std::size_t{data_.num_features()} * data_.num_labels();
  const auto shared = weights.first(size), specific = weights.subspan(size * (1 + i), size);
  std::vector<double> sum(shared.begin(), shared.end());
  std::transform(sum.begin(), sum.end(), specific.begin(), sum.begin(), std::plus<>());
  return sum;
}

}  // namespace megadapt
