// Feats (D&M06 §6.2, after Florian et al. 2004): the predictions of source models become
// features of a target row. Each source domain has its own model.
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class Feats final : public System {
 public:
  using System::System;

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const Options& options,
                                 const FitContext& context) const override {
    std::vector<std::unique_ptr<Predictor>> sources;
    for (SourceModel& source : source_models(data, target, *this, options, context)) {
      sources.push_back(std::move(source.predictor));
    }
    const std::vector<std::size_t> own = data.rows_of(target);
    SparseRows rows;
    RowBuilder builder(rows);
    std::vector<std::uint32_t> features_of_sources;
    std::vector<float> values_of_sources;
    std::vector<std::uint32_t> label;
    std::vector<double> weight;
    for (const std::size_t n : own) {
      const RowView row = data.rows[n];
      features_of_sources.clear();
      values_of_sources.clear();
      SourceFeaturesPredictor::extend(sources, options.source_features, row,
                                      features_of_sources, values_of_sources);
      builder.add(row);
      builder.add(RowView{features_of_sources, values_of_sources});
      builder.end();
      label.push_back(data.label[n]);
      weight.push_back(static_cast<double>(data.weight[n]));
    }
    rows.value.resize(rows.feature.size(), 1.0f);
    std::vector<std::size_t> chosen(own.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
    const auto features = static_cast<std::uint32_t>(
        data.num_features() + 2 * data.num_labels() * sources.size());
    const MaxentProblem problem(rows, features, chosen, label, data.num_labels(),
                                context.exec);
    MaxentOptions maxent = maxent_options(options, context, "training");
    if (context.warm_starts) maxent.start = context.warm_starts->weights;
    const MaxentFit fit = problem.fit(weight, maxent, context.exec);
    if (context.warm_starts) context.warm_starts->weights = fit.weights;
    report_fit(fit, options, context);
    return std::make_unique<SourceFeaturesPredictor>(
        std::move(sources), options.source_features,
        MaxentPredictor(data.num_labels(), fit.weights));
  }
};

}  // namespace

const System& source_features_system() {
  static const Feats system(
      {.name = "feats",
       .summary = "target rows with the source model's predictions as features",
       .takes_former = true,
       .reads = solver_options_and({"source-variance", "source-features"}),
       .tuned = {{"variance", "0.3"}, {"source-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
