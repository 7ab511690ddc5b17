// EasyAdapt (Daumé 2007): every feature has one shared copy and one copy per domain.
#include <numeric>

#include "models/predictors.hpp"
#include "systems/feature_copies.hpp"
#include "systems/fit_memory.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class EasyAdapt final : public System {
 public:
  using System::System;

  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    source_rows(data, target, name(), context.exec.ranks());
    std::vector<std::uint32_t> domains(data.num_domains());
    std::iota(domains.begin(), domains.end(), 0);
    const FeatureCopies copies(data, domains, completed(options), context.exec);
    const std::vector<double> row_weight(data.weight.begin(), data.weight.end());
    const std::vector<double> weights =
        copies.fit(row_weight, warm_start(context), options.tolerance, context);
    if (context.warm_starts) context.warm_starts->weights = weights;
    std::vector<MaxentPredictor> experts;
    for (const std::uint32_t d : domains) {
      experts.emplace_back(data.num_labels(), copies.expert(weights, d));
    }
    return std::make_unique<PerDomainPredictor>(std::move(experts));
  }
};

}  // namespace

const System& easy_adapt_system() {
  static const EasyAdapt system(
      {.name = "easyadapt",
       .summary = "shared weights plus weights of each domain, trained together",
       .cost = {.search = 9, .fit = 3, .pass = 1.4},
       .in_curves = true,
       .reads = solver_options_and({"specific-variance"}),
       .defaults = {{"specific-variance", "1"}},
       .tuned = {
           {"prior-exponent", "0.3"}, {"variance", "0.3"}, {"specific-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
