// MEGA: a mixture of a general and a domain-specific maximum entropy model (D&M06 §3-5).
// `megam` is the paper's system; `megaloo` is the same code with the choices that measure
// better (docs/derivation.md §7).
#include <fmt/format.h>

#include "adaptation/checkpoint.hpp"
#include "adaptation/fitting.hpp"
#include "adaptation/systems.hpp"

namespace megadapt {
namespace {

/// What `megam` and `megaloo` differ in.
struct Defaults {
  EStep e_step;
  Centre centre;
  Gate gate;
  double specific_variance;  // 0: as the variance
  double target_share;       // pi to begin with
  double source_share;
};

constexpr Defaults kPaper{EStep::training, Centre::zero, Gate::presence, 0, 0.5, 0.5};
constexpr Defaults kOurs{
    EStep::leave_one_out, Centre::general, Gate::presence, 0.05, 0.2, 0.95};

std::vector<double> first_shares(const Dataset& data, std::uint32_t target,
                                 const MegaOptions& mega, const Defaults& defaults) {
  std::vector<double> share;
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    share.push_back(mega.first_share.value_or(d == target ? defaults.target_share
                                                          : defaults.source_share));
  }
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
                               const AdaptationOptions& options, const Defaults& defaults) {
  const MegaOptions& mega = options.mega;
  MixtureOptions mixture;
  mixture.rounds = mega.rounds;
  mixture.variance = options.variance;
  mixture.specific_variance = mega.specific_variance.value_or(defaults.specific_variance);
  mixture.beta = mega.beta;
  mixture.gate_features = mega.gate_features;
  mixture.learn_share = mega.learn_share;
  mixture.first_share = first_shares(data, target, mega, defaults);
  mixture.e_step = mega.e_step.value_or(defaults.e_step);
  mixture.folds = mega.folds;
  mixture.centre = mega.centre.value_or(defaults.centre);
  mixture.gate = mega.gate.value_or(defaults.gate);
  mixture.gate_variance = mega.gate_variance;
  mixture.temperature = mega.temperature;
  mixture.psi_sweeps = mega.psi_sweeps;
  mixture.tolerance = options.tolerance;
  mixture.max_passes = options.max_passes;
  mixture.optimizer = options.optimizer;
  mixture.precision = options.precision;
  mixture.seed = options.seed;
  return mixture;
}

// Everything that two trainings must share for one to go on where the other stopped.
std::string fingerprint(const Dataset& data, std::string_view system,
                        const MixtureOptions& mixture) {
  std::string text = fmt::format(
      "{} {} rows {} features {} labels; rounds {} variance {} {} beta {},{} gate {} {} {} "
      "pi {} {} e-step {} {} centre {} temperature {} sweeps {} tolerance {} passes {} "
      "optimizer {} seed {}",
      system, data.num_examples(), data.num_features(), data.num_labels(), mixture.rounds,
      mixture.variance, mixture.specific_variance, mixture.beta.a, mixture.beta.b,
      static_cast<int>(mixture.gate), mixture.gate_features, mixture.gate_variance,
      mixture.learn_share, fmt::join(mixture.first_share, ","),
      static_cast<int>(mixture.e_step), mixture.folds, static_cast<int>(mixture.centre),
      mixture.temperature, mixture.psi_sweeps, mixture.tolerance, mixture.max_passes,
      static_cast<int>(mixture.optimizer), mixture.seed);
  for (const SourceFile& source : data.sources) {
    text += fmt::format("; {}={}", source.domain, source.sha256);
  }
  return text;
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
    MixtureOptions mixture = mixture_options(data, target, options, defaults_);
    report_progress(options, mixture);
    double gap = 0;
    mixture.on_fit = [&](const MaxentFit& fit) {
      gap = fit.gap;
      report_fit(fit, options);
    };
    std::optional<MixtureState> state;
    if (!options.mega.checkpoint.empty()) {
      const std::string training = fingerprint(data, name_, mixture);
      state = load_checkpoint(training, options.mega.checkpoint);
      mixture.on_round = [training,
                          path = options.mega.checkpoint](const MixtureState& round) {
        save_checkpoint(round, training, path);
      };
    }
    mixture.resume = state ? &*state : nullptr;
    const Mixture fitted = fit_mixture(data, mixture, exec);
    MaxentFit whole;
    whole.objective = -fitted.objective;
    whole.gap = gap;
    whole.converged = true;
    report_fit(whole, options);
    return std::make_unique<MixturePredictor>(data.num_labels(), fitted);
  }

  std::vector<Knob> knobs(const Dataset& data, std::uint32_t target) const override {
    if (defaults_.e_step == EStep::training) return {variance_knob()};
    std::vector<Knob> all = {
        variance_knob("0.1"),
        {"specific-variance", {fmt::format("{}", defaults_.specific_variance)}, 5},
        {"centre", {"general", "zero"}},
        {"gate", {"psi", "logistic"}},
        {"gate-features", {"0", "500"}},
        {"e-step", {"loo", "crossfit:4"}}};
    if (data.num_domains() == 2) {
      const std::string_view source = data.domains.name(1 - target);
      all.push_back({"pi-init",
                     {fmt::format("{}={}", source, defaults_.source_share),
                      fmt::format("{}=0.5", source)}});
    }
    return all;
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
      "megaloo",
      "megam with leave-one-out posteriors and experts centred on the general one", kOurs);
  return system;
}

}  // namespace megadapt
