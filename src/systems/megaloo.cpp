// megaloo: a general expert trained on all rows and a specific one trained on the target's.
// Their mixing weight is chosen on target rows not trained on (docs/derivation.md §7).
#include "crossfit/cross_fitted.hpp"
#include "mega/fit_mixture.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

/// `options` must be completed: they hold a value wherever the system has a default.
CrossFittedOptions cross_fitted_options(const Dataset& data, std::uint32_t target,
                                        const Options& options) {
  CrossFittedOptions own;
  own.variance = options.variance;
  own.specific_variance = *options.specific_variance;
  own.prior_exponent = *options.prior_exponent;
  own.evidence = options.e_step->how;
  own.folds = options.e_step->folds;
  own.centre = *options.centre;
  own.learn_share = options.learn_share;
  own.first_share = first_shares(data, options)[target];
  copy_solver(options, own);
  own.seed = options.seed;
  return own;
}

// Fits data of a single domain, where there is nothing to mix.
Mixture fit_alone(const Dataset& data, const Options& options,
                  const std::function<void(const MaxentFit&)>& on_fit,
                  const Execution& exec) {
  MixtureOptions own;
  own.variance = options.variance;
  copy_solver(options, own);
  own.on_fit = on_fit;
  return fit_single_domain(data, own, exec);
}

class MegaLoo final : public System {
 public:
  using System::System;

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const Options& given,
                                 const FitContext& context) const override {
    const Options options = completed(given);
    CrossFittedOptions own = cross_fitted_options(data, target, options);
    own.on_step = context.on_step;
    if (context.on_progress) {
      own.on_progress = [&context](double fraction) {
        context.on_progress({"training", fraction});
      };
    }
    double gap = 0;
    own.on_fit = [&](const MaxentFit& fit) {
      gap = fit.gap;
      report_fit(fit, options, context);
    };
    const bool alone = data.num_domains() == 1;
    const bool warm = context.warm_starts && !alone;
    if (warm) own.start = context.warm_starts->weights;
    const Mixture fitted = alone ? fit_alone(data, options, own.on_fit, context.exec)
                                 : fit_cross_fitted(data, target, own, context.exec);
    if (warm) context.warm_starts->weights = fitted.general.weights;
    report_mixture(fitted, gap, options, context);
    return std::make_unique<MixturePredictor>(data.num_labels(), fitted);
  }
};

}  // namespace

const System& mega_loo_system() {
  static const MegaLoo system(
      {.name = "megaloo",
       .summary = "general and specific experts of whole rows, mixed by cross-validation",
       .needs_source = false,
       .has_gate = true,
       .cost = 12,
       .reads = solver_options_and(
           {"pi", "pi-init", "e-step", "centre", "specific-variance", "prior-exponent"}),
       .defaults = {{"e-step", "crossfit:5"},
                    {"centre", "others"},
                    {"specific-variance", "0.3"},
                    {"prior-exponent", "0.3"}},
       .tuned = {
           {"prior-exponent", "0.3"}, {"variance", "1"}, {"specific-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
