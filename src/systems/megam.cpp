// megam: the mixture of a general and a domain-specific maximum entropy model that the
// paper trains by conditional EM (D&M06 §3-5).
#include <fmt/format.h>

#include "mega/fit_mixture.hpp"
#include "models/predictors.hpp"
#include "systems/checkpoint.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

MixtureOptions mixture_options(const Dataset& data, const AdaptationOptions& options,
                               const Execution& exec) {
  const MegaOptions& mega = options.mega;
  MixtureOptions mixture;
  mixture.rounds = mega.rounds;
  mixture.variance = options.variance;
  mixture.specific_variance = mega.specific_variance.value_or(0);
  mixture.prior_exponent = mega.prior_exponent.value_or(0);
  mixture.beta = mega.beta;
  mixture.gate_features = mega.gate_features;
  mixture.learn_share = mega.learn_share;
  mixture.first_share = first_shares(data, mega);
  mixture.e_step = mega.e_step.value_or(EStep::training);
  mixture.folds = mega.folds;
  mixture.centre = mega.centre.value_or(Centre::zero);
  mixture.gate = mega.gate.value_or(Gate::presence);
  mixture.gate_variance = mega.gate_variance;
  mixture.temperature = mega.temperature;
  mixture.psi_sweeps = mega.psi_sweeps;
  mixture.psi_step =
      mega.psi_step.value_or(exec.ranks().size() > 1 ? PsiStep::lbfgs : PsiStep::sweep);
  mixture.tolerance = options.tolerance;
  mixture.max_passes = options.max_passes;
  mixture.optimizer = options.optimizer;
  mixture.precision = options.precision;
  mixture.seed = options.seed;
  return mixture;
}

// What two trainings must share, beside their files, for one to go on where the other
// stopped.
std::string fingerprint(const Dataset& data, std::string_view system,
                        const MixtureOptions& mixture) {
  return fmt::format(
      "{} {} features {} labels; rounds {} variance {} {} {} beta {},{} gate {} {} {} pi "
      "{} "
      "{} e-step {} {} centre {} temperature {} sweeps {} {} tolerance {} "
      "passes {} optimizer {} seed {}",
      system, data.num_features(), data.num_labels(), mixture.rounds, mixture.variance,
      mixture.specific_variance, mixture.prior_exponent, mixture.beta.a, mixture.beta.b,
      static_cast<int>(mixture.gate), mixture.gate_features, mixture.gate_variance,
      mixture.learn_share, fmt::join(mixture.first_share, ","),
      static_cast<int>(mixture.e_step), mixture.folds, static_cast<int>(mixture.centre),
      mixture.temperature, mixture.psi_sweeps, static_cast<int>(mixture.psi_step),
      mixture.tolerance, mixture.max_passes, static_cast<int>(mixture.optimizer),
      mixture.seed);
}

// Whether a round builds on what rows the experts were fitted to, beside their weights.
bool needs_rows(const MixtureOptions& mixture) {
  return mixture.e_step != EStep::training || mixture.prior_exponent != 0 ||
         mixture.centre == Centre::others;
}

class Mega final : public Adaptation {
 public:
  std::string_view name() const override { return "megam"; }
  std::string_view summary() const override {
    return "mixture of a general and a specific expert (the paper's)";
  }
  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t /*target*/,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    MixtureOptions mixture = mixture_options(data, options, exec);
    report_progress(options, mixture);
    double gap = 0;
    mixture.on_fit = [&](const MaxentFit& fit) {
      gap = fit.gap;
      report_fit(fit, options);
    };
    std::optional<MixtureState> state;
    if (!options.mega.checkpoint.empty()) {
      const Checkpoint checkpoint{options.mega.checkpoint,
                                  fingerprint(data, name(), mixture), data,
                                  needs_rows(mixture), exec.ranks()};
      state = checkpoint.load();
      mixture.on_round = [checkpoint](const MixtureState& round) {
        checkpoint.save(round);
      };
    }
    mixture.resume = state ? &*state : nullptr;
    const Mixture fitted = fit_mixture(data, mixture, exec);
    report_mixture(fitted, gap, options);
    return std::make_unique<MixturePredictor>(data.num_labels(), fitted);
  }

  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {variance_knob()};
  }

 private:
  static void report_progress(const AdaptationOptions& options, MixtureOptions& mixture) {
    mixture.on_step = options.mega.on_step;
    if (!options.on_progress) return;
    mixture.on_progress = [&options](double fraction) {
      options.on_progress({"training", fraction});
    };
  }
};

}  // namespace

const Adaptation& mega_system() {
  static const Mega system;
  return system;
}

}  // namespace megadapt
