// Prior (D&M06 §6.2, after Chelba and Acero 2004): fits the target's rows under a prior
// whose mean is the source model's weights. Several sources count as one.
#include "models/predictors.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class Prior final : public System {
 public:
  using System::System;
  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    const auto mean = source_weights(data, target, options, context);
    return std::make_unique<MaxentPredictor>(
        data.num_labels(),
        fit_weights(data, data.rows_of(target), {}, *mean, options, context));
  }

 private:
  std::shared_ptr<const std::vector<double>> source_weights(
      const Dataset& data, std::uint32_t target, const Options& options,
      const FitContext& context) const {
    if (!context.former) {
      return fit_source(data, source_rows(data, target, name(), context.exec.ranks()),
                        for_source(options), context);
    }
    require_former(*this, *context.former);
    return {context.former, &context.former->weights};
  }
};

}  // namespace

const System& prior_system() {
  static const Prior system(
      {.name = "prior",
       .summary = "target rows, with a prior centred on the source model's weights",
       .cost = {.search = 0.9, .pass = 2},
       .takes_former = true,
       .needs_former_weights = true,
       .in_curves = true,
       .reads = solver_options_and({"source-variance"}),
       .tuned = {
           {"prior-exponent", "0.3"}, {"variance", "0.05"}, {"source-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
