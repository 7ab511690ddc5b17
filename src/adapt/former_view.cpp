#include "adapt/former_view.hpp"

#include <fmt/format.h>

#include "models/predictors.hpp"
#include "models/source_features.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {
namespace {

// The weights of the one linear model over the row's own features that predicts rows of a
// domain, if there is one.
std::optional<LinearWeights> linear_weights(const ModelPart& whole, std::uint32_t domain) {
  if (whole.has(PartRole::specific)) return whole.children[domain].weights;
  return whole.has(PartRole::source) ? std::nullopt : whole.weights;
}

}  // namespace

FormerView::FormerView(const Model& former, const Dataset& rows,
                       const ContinuationOptions& options)
    : data_(rows), options_(options), kind_(former.predictor->kind()) {
  const bool known = target() < former.info.domains.size();
  former_domain_ = known || former.info.domains.empty() ? target() : former.target();
  add_predictions(former);
  add_source_features();
  add_mean(former);
}

void FormerView::add_predictions(const Model& former) {
  const std::size_t Y = data_.num_labels();
  probability_.resize(data_.num_examples() * Y);
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    former.predictor->predict(
        data_.rows[n], former_domain_,
        std::span(probability_).subspan(n * Y, former.predictor->num_labels()));
  }
}

void FormerView::add_source_features() {
  RowBuilder builder(extended_);
  std::vector<std::uint32_t> features;
  std::vector<float> values;
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    features.clear();
    values.clear();
    append_prediction(former(n), options_.source_features, data_.num_features(), features,
                      values);
    builder.add(data_.rows[n]);
    builder.add(RowView{features, values});
    builder.end();
  }
  extended_.value.resize(extended_.feature.size(), 1.0f);
}

void FormerView::add_mean(const Model& former) {
  const auto weight = linear_weights(parts_of(former), former_domain_);
  if (!weight) return;
  const std::size_t Y = data_.num_labels();
  mean_.emplace(std::size_t{data_.num_features()} * Y);
  for (std::uint32_t f = 0; f < weight->num_features(); ++f) {
    for (std::uint32_t y = 0; y < weight->num_labels; ++y) {
      (*mean_)[f * Y + y] = static_cast<double>((*weight)(f, y));
    }
  }
}

std::string FormerView::obstacle(const std::string& system) const {
  if (system != "prior" || mean_) return {};
  return fmt::format(
      "the old model is a {}, not one linear model whose weights could be a "
      "prior's mean",
      kind_);
}

std::uint32_t FormerView::num_features(const std::string& system) const {
  return data_.num_features() + (system == "feats" ? 2 * data_.num_labels() : 0);
}

MaxentProblem FormerView::problem(const std::string& system,
                                  std::span<const std::size_t> rows,
                                  const Execution& exec) const {
  std::vector<std::uint32_t> label;
  for (const std::size_t n : rows) label.push_back(data_.label[n]);
  return MaxentProblem(system == "feats" ? extended_ : data_.rows, num_features(system),
                       rows, std::move(label), data_.num_labels(), exec);
}

MaxentFit FormerView::fit(const std::string& system, const MaxentProblem& problem,
                          std::span<const std::size_t> rows, double variance,
                          std::span<const double> start, const Execution& exec) const {
  std::vector<double> row_weight;
  for (const std::size_t n : rows) {
    row_weight.push_back(static_cast<double>(data_.weight[n]));
  }
  MaxentOptions maxent;
  maxent.prior.variance = variance;
  if (system == "prior") maxent.prior.mean = *mean_;
  maxent.tolerance = options_.tolerance;
  maxent.max_passes = options_.max_passes;
  maxent.start = start;
  return problem.fit(row_weight, maxent, exec);
}

void FormerView::predict(const std::string& system, const MaxentPredictor& fitted,
                         std::size_t n, std::span<double> probability) const {
  fitted.predict(system == "feats" ? extended_[n] : data_.rows[n], target(), probability);
}

}  // namespace megadapt
