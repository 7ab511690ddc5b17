// megam: the mixture of a general and a domain-specific maximum entropy model that the
// paper trains by conditional EM (D&M06 §3-5).
#include <fmt/format.h>

#include <algorithm>

#include "mega/fit_mixture.hpp"
#include "models/predictors.hpp"
#include "systems/checkpoint.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

/// `options` must be completed: they hold a value wherever the system has a default.
MixtureOptions mixture_options(const Dataset& data, const Options& options,
                               const Execution& exec) {
  MixtureOptions mixture;
  mixture.rounds = options.rounds;
  mixture.variance = options.variance;
  mixture.specific_variance = options.specific_variance.value_or(options.variance);
  mixture.prior_exponent = options.prior_exponent;
  mixture.beta = options.beta;
  mixture.gate_features = options.gate_features;
  mixture.learn_share = options.learn_share;
  mixture.first_share = first_shares(data, options);
  mixture.e_step = options.e_step->how;
  mixture.folds = options.e_step->folds;
  mixture.centre = *options.centre;
  mixture.gate = *options.gate;
  mixture.gate_variance = options.gate_variance;
  mixture.temperature = options.temperature;
  mixture.psi_sweeps = options.psi_sweeps;
  mixture.psi_step =
      options.psi_step.value_or(exec.ranks().size() > 1 ? PsiStep::lbfgs : PsiStep::sweep);
  mixture.refresh = options.refresh;
  copy_solver(options, mixture);
  mixture.seed = options.seed;
  return mixture;
}

// Returns text that must be equal, besides the files, for one training to resume another's
// checkpoint. It includes the psi step because its default depends on the number of ranks.
std::string fingerprint(const System& system, const Dataset& data, Options options,
                        PsiStep psi_step) {
  options.psi_step = psi_step;
  return fmt::format("{}schema={}\n", options_text(system, options), data.schema->digest());
}

// Returns whether a round needs the responsibilities that the experts were last fitted
// with.
bool needs_rows(const MixtureOptions& mixture) {
  return mixture.e_step != EStep::training || mixture.prior_exponent != 0 ||
         mixture.centre == Centre::others;
}

int to_rounds(const std::string& text) {
  Options options;
  set_option(options, "rounds", text);
  return options.rounds;
}

class Mega final : public System {
 public:
  using System::System;

  PredictorPtr fit_rows(const Dataset& data, std::uint32_t /*target*/, const Options& given,
                        const FitContext& context) const override {
    return fit_calling(data, completed(given), context, {});
  }

  // A fit of many rounds passes the results of fewer rounds on its way, so one fit gives
  // them all. This does not hold if the temperature of a round depends on the number of
  // rounds.
  std::vector<PredictorPtr> fit_rows_each(const Dataset& data, std::uint32_t target,
                                          const Options& given, std::string_view name,
                                          const std::vector<std::string>& values,
                                          const FitContext& context) const override {
    const bool one_domain = data.num_domains() == 1;
    if (name != "rounds" || given.temperature != 1 || one_domain) {
      return System::fit_rows_each(data, target, given, name, values, context);
    }
    std::vector<int> rounds;
    for (const std::string& value : values) rounds.push_back(to_rounds(value));
    Options longest = completed(given);
    longest.rounds = *std::max_element(rounds.begin(), rounds.end());
    std::vector<PredictorPtr> fitted(values.size());
    fit_calling(data, longest, context, [&](const MixtureState& state) {
      for (std::size_t i = 0; i < rounds.size(); ++i) {
        if (rounds[i] != state.rounds_done) continue;
        fitted[i] = std::make_unique<MixturePredictor>(data.num_labels(), state.mixture);
      }
    });
    return fitted;
  }

 private:
  using OnRound = std::function<void(const MixtureState&)>;

  PredictorPtr fit_calling(const Dataset& data, const Options& options,
                           const FitContext& context, const OnRound& on_round) const {
    MixtureOptions mixture = mixture_options(data, options, context.exec);
    report_progress(context, mixture);
    double gap = 0;
    mixture.on_fit = [&](const MaxentFit& fit) {
      gap = fit.gap;
      report_fit(fit, options, context);
    };
    std::optional<MixtureState> state;
    if (!context.checkpoint.empty()) {
      const Checkpoint checkpoint{
          context.checkpoint,
          fingerprint(*this, data, options, mixture.psi_step),
          mixture.rounds == kRoundsUntilSettled ? kMostRounds : mixture.rounds,
          data,
          needs_rows(mixture) || mixture.rounds == kRoundsUntilSettled,
          context.exec.ranks()};
      state = checkpoint.load();
      mixture.on_round = [checkpoint](const MixtureState& round) {
        checkpoint.save(round);
      };
    }
    if (on_round) mixture.on_round = on_round;
    if (context.warm_starts) mixture.memo = &context.warm_starts->first_rounds;
    mixture.resume = state ? &*state : nullptr;
    const Mixture fitted = fit_mixture(data, mixture, context.exec);
    report_mixture(fitted, gap, options, context);
    if (context.on_mixture) context.on_mixture(fitted.end);
    return std::make_unique<MixturePredictor>(data.num_labels(), fitted);
  }

  static void report_progress(const FitContext& context, MixtureOptions& mixture) {
    mixture.on_step = context.on_step;
    if (!context.on_progress) return;
    mixture.on_progress = [&context](double fraction) {
      context.on_progress({"training", fraction});
    };
  }
};

}  // namespace

const System& mega_system() {
  static const Mega system(
      {.name = "megam",
       .summary = "mixture of general and specific experts (Daume & Marcu 2006)",
       .cost = {.search = 30, .fit = 2},
       .needs_source = false,
       .has_gate = true,
       .in_curves = true,
       .reads =
           solver_options_and({"rounds", "refresh", "beta", "gate-features", "pi",
                               "pi-init", "e-step", "centre", "specific-variance", "gate",
                               "gate-variance", "anneal", "psi-sweeps", "psi-step"}),
       .defaults = {{"e-step", "training"}, {"centre", "zero"}, {"gate", "psi"}},
       .tuned = {{"prior-exponent", "0.3"},
                 {"variance", "0.3"},
                 {"centre", "others"},
                 {"specific-variance", "=variance"},
                 {"rounds", "1"},
                 {"e-step", "loo"},
                 {"gate", "psi"}},
       .other_start = {{"prior-exponent", "0.6"}, {"variance", "1.5"}},
       // Where domains conflict, a few rounds are hardly better than chance. Variances tuned
       // for few rounds then go towards 0, and from there no number of rounds helps.
       .rival = {{"rounds", "20"}, {"centre", "zero"}},
       .passed = "rounds"});
  return system;
}

}  // namespace megadapt
