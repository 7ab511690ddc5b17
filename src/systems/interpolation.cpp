// LinI (D&M06 §6.2): one model per domain, their probabilities interpolated. The weights
// maximise the likelihood of the target's rows. For that, the target's own model predicts
// rows that it was not trained on.
#include <fmt/format.h>

#include "execution/collectives.hpp"
#include "models/predictors.hpp"
#include "systems/combination_weights.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class Interpolation final : public System {
 public:
  using System::System;

  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    std::vector<PredictorPtr> members;
    std::vector<std::string> names{std::string(data.domains().name(target))};
    members.push_back(fit_plain(data, data.rows_of(target), {}, options, context));
    for (SourceModel& source : source_models(data, target, *this, options, context)) {
      names.push_back(source.name);
      members.push_back(std::move(source.predictor));
    }
    std::vector<double> weights =
        options.interpolation
            ? given_weights(*options.interpolation, members.size() - 1)
            : MixingWeights::get(context.mixing, name(), [&] {
                return fitted_weights(data, target, options, members, context);
              });
    return std::make_unique<CombinationPredictor>(std::move(members), std::move(weights),
                                                  std::move(names));
  }

 private:
  static std::vector<double> given_weights(double own, std::size_t sources) {
    if (!(own >= 0 && own <= 1)) {
      throw UsageError(fmt::format("the interpolation weight {} is not in [0, 1]", own),
                       "give the target's own model a weight from 0 to 1");
    }
    std::vector<double> weights(1 + sources, (1 - own) / static_cast<double>(sources));
    weights[0] = own;
    return weights;
  }

  static std::vector<double> fitted_weights(const Dataset& data, std::uint32_t target,
                                            const Options& options,
                                            const std::vector<PredictorPtr>& members,
                                            const FitContext& context) {
    const std::vector<std::size_t> own = data.rows_of(target);
    if (summed(context.exec.ranks(), static_cast<double>(own.size())) < kFewestRowsToTell) {
      return given_weights(0.5, members.size() - 1);
    }
    auto probability = out_of_fold(data, target, {{&only_target_system(), options}},
                                   options.folds, options.seed, quiet(context));
    std::vector<double> weight, p(data.num_labels());
    for (const std::size_t n : own) weight.push_back(static_cast<double>(data.weight[n]));
    for (std::size_t m = 1; m < members.size(); ++m) {
      probability.emplace_back();
      for (const std::size_t n : own) {
        members[m]->predict(data.rows[n], target, p);
        probability.back().push_back(p[data.label[n]]);
      }
    }
    return combination_weights(probability, weight, context.exec.ranks());
  }
};

}  // namespace

const System& interpolation_system() {
  static const Interpolation system(
      {.name = "lini",
       .summary = "weighted average of the probabilities of each domain's model",
       .cost = {.search = 2.5, .pass = 3},
       .takes_former = true,
       .reads = solver_options_and({"source-variance", "interpolation", "folds"}),
       .tuned = {
           {"prior-exponent", "0.3"}, {"variance", "0.3"}, {"source-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
