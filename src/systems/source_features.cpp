// Feats (D&M06 §6.2, after Florian et al. 2004): the predictions of source models become
// features of a target row. Each source domain has its own model.
#include <numeric>

#include "models/predictors.hpp"
#include "optimize/information_prior.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

/// The target's rows, each with the features that the source models add to it.
struct ExtendedRows {
  SparseRows rows;
  std::vector<std::uint32_t> label;
  SoftLabels soft;
  std::vector<double> weight;
};

ExtendedRows extend_rows(const Dataset& data, std::uint32_t target,
                         const std::vector<std::unique_ptr<Predictor>>& sources,
                         SourceFeatures kind) {
  ExtendedRows extended;
  RowBuilder builder(extended.rows);
  std::vector<std::uint32_t> features_of_sources;
  std::vector<float> values_of_sources;
  for (const std::size_t n : data.rows_of(target)) {
    const RowView row = data.rows[n];
    features_of_sources.clear();
    values_of_sources.clear();
    SourceFeaturesPredictor::extend(sources, kind, row, features_of_sources,
                                    values_of_sources);
    builder.add(row);
    builder.add(RowView{features_of_sources, values_of_sources});
    builder.end();
    extended.label.push_back(data.label[n]);
    extended.weight.push_back(static_cast<double>(data.weight[n]));
  }
  extended.soft = data.soft.select(data.rows_of(target));
  extended.rows.value.resize(extended.rows.feature.size(), 1.0f);
  return extended;
}

class Feats final : public System {
 public:
  using System::System;

  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    std::vector<PredictorPtr> sources;
    for (SourceModel& source : source_models(data, target, *this, options, context)) {
      sources.push_back(std::move(source.predictor));
    }
    const ExtendedRows own = extend_rows(data, target, sources, options.source_features);
    std::vector<std::size_t> all(own.label.size());
    std::iota(all.begin(), all.end(), 0);
    const auto features = static_cast<std::uint32_t>(
        data.num_features() + 2 * data.num_labels() * sources.size());
    const MaxentProblem problem(own.rows, features, all, own.label, data.num_labels(),
                                context.exec, own.soft);
    const std::vector<double> factor = information_factor(
        {own.rows, features, own.label, data.num_labels(), all, own.soft}, own.weight,
        options.prior_exponent, context.exec.ranks());
    const std::vector<double> weights =
        solve(problem, own.weight, {options.variance, {}, factor}, warm_start(context),
              options, context);
    if (context.warm_starts) context.warm_starts->weights = weights;
    return std::make_unique<SourceFeaturesPredictor>(
        std::move(sources), options.source_features,
        MaxentPredictor(data.num_labels(), weights));
  }
};

}  // namespace

const System& source_features_system() {
  static const Feats system(
      {.name = "feats",
       .summary = "target rows, with the source model's predictions as features",
       .cost = {.search = 1.5, .pass = 1.3},
       .takes_former = true,
       .reads = solver_options_and({"source-variance", "source-features"}),
       .tuned = {
           {"prior-exponent", "0.3"}, {"variance", "0.3"}, {"source-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
