// megaloo: a general expert of all rows and one of the target's own, mixed by one number
// that target rows choose which the experts have not seen (docs/derivation.md §7).
#include <fmt/format.h>

#include "crossfit/cross_fitted.hpp"
#include "mega/fit_mixture.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

CrossFittedOptions cross_fitted_options(const Dataset& data, std::uint32_t target,
                                        const AdaptationOptions& options) {
  const MegaOptions& mega = options.mega;
  CrossFittedOptions own;
  own.variance = options.variance;
  own.specific_variance = mega.specific_variance.value_or(own.specific_variance);
  own.prior_exponent = mega.prior_exponent.value_or(own.prior_exponent);
  own.evidence = mega.e_step.value_or(own.evidence);
  own.folds = mega.folds;
  own.centre = mega.centre.value_or(own.centre);
  own.learn_share = mega.learn_share;
  own.first_share = first_shares(data, mega)[target];
  own.tolerance = options.tolerance;
  own.max_passes = options.max_passes;
  own.optimizer = options.optimizer;
  own.precision = options.precision;
  own.seed = options.seed;
  return own;
}

// The rows of one domain, where nothing is mixed.
Mixture fit_alone(const Dataset& data, const AdaptationOptions& options,
                  const std::function<void(const MaxentFit&)>& on_fit,
                  const Execution& exec) {
  MixtureOptions own;
  own.variance = options.variance;
  own.tolerance = options.tolerance;
  own.max_passes = options.max_passes;
  own.optimizer = options.optimizer;
  own.precision = options.precision;
  own.on_fit = on_fit;
  return fit_single_domain(data, own, exec);
}

class MegaLoo final : public Adaptation {
 public:
  std::string_view name() const override { return "megaloo"; }
  std::string_view summary() const override {
    return "general and specific experts of whole rows, mixed by cross-validation";
  }

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    CrossFittedOptions own = cross_fitted_options(data, target, options);
    own.on_step = options.mega.on_step;
    if (options.on_progress) {
      own.on_progress = [&options](double fraction) {
        options.on_progress({"training", fraction});
      };
    }
    double gap = 0;
    own.on_fit = [&](const MaxentFit& fit) {
      gap = fit.gap;
      report_fit(fit, options);
    };
    const bool alone = data.num_domains() == 1;
    if (options.warm_starts && !alone) own.start = options.warm_starts->weights;
    const Mixture fitted = alone ? fit_alone(data, options, own.on_fit, exec)
                                 : fit_cross_fitted(data, target, own, exec);
    if (options.warm_starts && !alone) {
      options.warm_starts->weights = fitted.general.weights;
    }
    report_mixture(fitted, gap, options);
    return std::make_unique<MixturePredictor>(data.num_labels(), fitted);
  }

  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {
        {"prior-exponent", {"0.3", "0.6", "0"}},
        variance_knob("1"),
        {"specific-variance", {fmt::to_string(CrossFittedOptions().specific_variance)}, 5}};
  }
};

}  // namespace

const Adaptation& mega_loo_system() {
  static const MegaLoo system;
  return system;
}

}  // namespace megadapt
