// MEGA: a mixture of a general and a domain-specific maximum entropy model (D&M06 §3-5).
// `megam` is the paper's system; `megaloo` is the same code with the choices that measure
// better (docs/derivation.md §7, docs/research.md).
#include <fmt/format.h>

#include "mega/fit_mixture.hpp"
#include "models/predictors.hpp"
#include "systems/checkpoint.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

/// What `megam` and `megaloo` differ in.
struct Defaults {
  EStep e_step;
  Centre centre;
  ExpertWeights expert_weights;
  Gate gate;
  double specific_variance;  // 0: as the variance
  double prior_exponent;
};

constexpr Defaults kPaper{.e_step = EStep::training,
                          .centre = Centre::zero,
                          .expert_weights = ExpertWeights::responsibilities,
                          .gate = Gate::presence,
                          .specific_variance = 0,
                          .prior_exponent = 0};
constexpr Defaults kOurs{.e_step = EStep::cross_fit,
                         .centre = Centre::others,
                         .expert_weights = ExpertWeights::full,
                         .gate = Gate::share,
                         .specific_variance = 0.3,
                         .prior_exponent = 0.3};

std::vector<double> first_shares(const Dataset& data, const MegaOptions& mega) {
  std::vector<double> share(data.num_domains(), mega.first_share.value_or(0.5));
  for (const auto& [name, value] : mega.first_share_of) {
    const std::uint32_t d = data.domains.find(name);
    if (d == kNone) {
      throw UsageError(
          fmt::format("--pi-init names the unknown domain '{}'", name),
          fmt::format("the domains are {}", fmt::join(data.domains.names(), ", ")));
    }
    share[d] = value;
  }
  return share;
}

MixtureOptions mixture_options(const Dataset& data, std::uint32_t target,
                               const AdaptationOptions& options, const Defaults& defaults,
                               const Execution& exec) {
  const MegaOptions& mega = options.mega;
  MixtureOptions mixture;
  mixture.rounds = mega.rounds;
  mixture.variance = options.variance;
  mixture.specific_variance = mega.specific_variance.value_or(defaults.specific_variance);
  mixture.prior_exponent = mega.prior_exponent.value_or(defaults.prior_exponent);
  mixture.beta = mega.beta;
  mixture.gate_features = mega.gate_features;
  mixture.learn_share = mega.learn_share;
  mixture.first_share = first_shares(data, mega);
  mixture.e_step = mega.e_step.value_or(defaults.e_step);
  mixture.folds = mega.folds;
  mixture.centre = mega.centre.value_or(defaults.centre);
  mixture.expert_weights = mega.expert_weights.value_or(defaults.expert_weights);
  if (mixture.expert_weights == ExpertWeights::full) mixture.target = target;
  mixture.gate = mega.gate.value_or(defaults.gate);
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
      "{} e-step {} {} centre {} experts {} {} temperature {} sweeps {} {} tolerance {} "
      "passes {} optimizer {} seed {}",
      system, data.num_features(), data.num_labels(), mixture.rounds, mixture.variance,
      mixture.specific_variance, mixture.prior_exponent, mixture.beta.a, mixture.beta.b,
      static_cast<int>(mixture.gate), mixture.gate_features, mixture.gate_variance,
      mixture.learn_share, fmt::join(mixture.first_share, ","),
      static_cast<int>(mixture.e_step), mixture.folds, static_cast<int>(mixture.centre),
      static_cast<int>(mixture.expert_weights), mixture.target.value_or(kNone),
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
  Mega(std::string_view name, std::string_view summary, const Defaults& defaults)
      : name_(name), summary_(summary), defaults_(defaults) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    MixtureOptions mixture = mixture_options(data, target, options, defaults_, exec);
    report_progress(options, mixture);
    double gap = 0;
    mixture.on_fit = [&](const MaxentFit& fit) {
      gap = fit.gap;
      report_fit(fit, options);
    };
    std::optional<MixtureState> state;
    if (!options.mega.checkpoint.empty()) {
      const Checkpoint checkpoint{options.mega.checkpoint,
                                  fingerprint(data, name_, mixture), data,
                                  needs_rows(mixture), exec.ranks()};
      state = checkpoint.load();
      mixture.on_round = [checkpoint](const MixtureState& round) {
        checkpoint.save(round);
      };
    }
    mixture.resume = state ? &*state : nullptr;
    const bool warm = options.warm_starts && mixture.target;
    if (warm) mixture.start = options.warm_starts->weights;
    const Mixture fitted = fit_mixture(data, mixture, exec);
    if (warm) options.warm_starts->weights = fitted.general.weights;
    MaxentFit whole;
    whole.objective = -fitted.objective;
    whole.gap = gap;
    whole.converged = true;
    report_fit(whole, options);
    return std::make_unique<MixturePredictor>(data.num_labels(), fitted);
  }

  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    if (defaults_.e_step == EStep::training) return {variance_knob()};
    return {{"prior-exponent", {"0.3", "0.6", "0"}},
            variance_knob("1"),
            {"specific-variance", {fmt::format("{}", defaults_.specific_variance)}, 5}};
  }

 private:
  static void report_progress(const AdaptationOptions& options, MixtureOptions& mixture) {
    mixture.on_step = options.mega.on_step;
    if (!options.on_progress) return;
    mixture.on_progress = [&options](double fraction) {
      options.on_progress({"training", fraction});
    };
  }

  std::string_view name_;
  std::string_view summary_;
  Defaults defaults_;
};

}  // namespace

const Adaptation& mega_system() {
  static const Mega system(
      "megam", "mixture of a general and a specific expert (the paper's)", kPaper);
  return system;
}

const Adaptation& mega_loo_system() {
  static const Mega system(
      "megaloo", "megam with experts of whole rows, mixed by rows that they have not seen",
      kOurs);
  return system;
}

}  // namespace megadapt
