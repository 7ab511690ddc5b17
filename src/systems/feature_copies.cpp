#include "systems/feature_copies.hpp"

#include <algorithm>

#include "optimize/information_prior.hpp"

namespace megadapt {
namespace {

// Returns rows over [F] shared features, then [F] for each of `domains`.
SparseRows copy_features(const Dataset& data, std::span<const std::uint32_t> domains) {
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
      if (specific != kNone) builder.add(row.features[i] + specific, x);
    }
    builder.end();
  }
  return rows;
}

}  // namespace

FeatureCopies::FeatureCopies(const Dataset& data, std::vector<std::uint32_t> domains,
                             const Options& options, const Execution& exec)
    : data_(data),
      domains_(std::move(domains)),
      options_(options),
      rows_(copy_features(data, domains_)),
      problem_(rows_, data.num_features() * static_cast<std::uint32_t>(1 + domains_.size()),
               all_rows(data), data.label, data.num_labels(), exec, data.soft) {}

// Factors multiply 1 / variance. Those of specific copies also contain variance /
// specific_variance, because that is the variance they should have.
std::vector<double> FeatureCopies::prior_factor(std::span<const double> row_weight,
                                                Communicator& ranks) const {
  const auto information = [&](RowIds rows, std::span<const double> weight) {
    auto factor = information_factor(data_, rows, weight, options_.prior_exponent, ranks);
    factor.resize(data_.num_features(), 1);  // it is empty for exponent 0
    return factor;
  };
  std::vector<double> factor = information(all_rows(data_), row_weight);
  for (const std::uint32_t d : domains_) {
    const std::vector<std::size_t> rows = data_.rows_of(d);
    std::vector<double> own;
    for (const std::size_t n : rows) own.push_back(row_weight[n]);
    for (const double specific : information(rows, own)) {
      factor.push_back(specific * options_.variance / *options_.specific_variance);
    }
  }
  return factor;
}

std::vector<double> FeatureCopies::fit(std::span<const double> row_weight,
                                       std::span<const double> start, double tolerance,
                                       const FitContext& context) const {
  Options options = options_;
  options.tolerance = tolerance;
  const std::vector<double> factor = prior_factor(row_weight, context.exec.ranks());
  return solve(problem_, row_weight, {options_.variance, {}, factor}, start, options,
               context);
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
