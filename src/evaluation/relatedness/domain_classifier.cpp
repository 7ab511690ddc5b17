#include "evaluation/relatedness/domain_classifier.hpp"

#include <array>
#include <numeric>

namespace megadapt {
namespace {

constexpr double kTolerance = 1e-3;

void append_content(const Dataset& data, std::size_t n, SparseRows& out) {
  const RowView row = data.rows[n];
  RowBuilder builder(out);
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    const std::uint32_t f = row.features[i];
    if (data.is_tag_feature(f)) continue;
    builder.add(f, row.values.empty() ? 1 : row.values[i]);
  }
  builder.end();
}

}  // namespace

DomainClassifier::DomainClassifier(const Dataset& data, std::uint32_t a, std::uint32_t b,
                                   const RelateOptions& options, const Execution& exec) {
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.domain[n] != a && data.domain[n] != b) continue;
    rows.push_back(n);
    append_content(data, n, content_);
    label_.push_back(data.domain[n] == b);
    weight_.push_back(static_cast<double>(data.weight[n]));
  }
  const auto folds = static_cast<std::uint32_t>(options.folds);
  fold_ = deal_domain_folds(data, rows, folds, options.seed);
  auc_.resize(folds);
  fitting_.prior.variance = options.variance;
  fitting_.tolerance = kTolerance;
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  problem_.emplace(content_, data.num_features(), all, label_, 2, exec);
}

std::vector<double> DomainClassifier::training_weights(std::size_t held_out) const {
  std::vector<double> weight = weight_;
  std::array<double, 2> total{};
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (fold_[i] == held_out) weight[i] = 0;
    total[label_[i]] += weight[i];
  }
  if (!(total[0] > 0) || !(total[1] > 0)) return {};
  for (std::size_t i = 0; i < weight.size(); ++i) {
    weight[i] *= (total[0] + total[1]) / (2 * total[label_[i]]);
  }
  return weight;
}

void DomainClassifier::run_fold(std::size_t held_out, const Execution& exec) {
  const std::vector<double> weight = training_weights(held_out);
  if (weight.empty()) return;
  const MaxentFit fit = problem_->fit(weight, fitting_, exec);
  std::array<std::vector<double>, 2> score;
  for (std::size_t i = 0; i < fold_.size(); ++i) {
    if (fold_[i] != held_out) continue;
    const RowView row = content_[i];
    double log_odds = 0;
    for (std::size_t j = 0; j < row.features.size(); ++j) {
      const std::size_t f = row.features[j];
      const double x = row.values.empty() ? 1 : static_cast<double>(row.values[j]);
      log_odds += x * (fit.weights[2 * f + 1] - fit.weights[2 * f]);
    }
    score[label_[i]].push_back(log_odds);
  }
  if (score[0].empty() || score[1].empty()) return;
  auc_[held_out] = {area_under_curve(score[1], score[0]),
                    static_cast<double>(score[0].size() * score[1].size())};
}

std::optional<double> DomainClassifier::auc() const {
  double won = 0;
  double pairs = 0;
  for (const FoldResult& result : auc_) {
    won += result.auc * result.pairs;
    pairs += result.pairs;
  }
  return pairs > 0 ? std::optional<double>(won / pairs) : std::nullopt;
}

}  // namespace megadapt
