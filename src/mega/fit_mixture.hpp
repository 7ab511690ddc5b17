#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/predictors.hpp"

namespace megadapt {

class FitMemo;

/// Everything a round needs from the previous one. A checkpoint holds it.
struct MixtureState {
  int rounds_done = 0;
  Mixture mixture;
  std::vector<double> fitted_general;   // [N]; responsibilities of the last fit
  std::vector<double> fitted_specific;  // [N]
  MixtureEnd end = {};
};

struct MixtureOptions {
  int rounds = 5;                ///< kRoundsUntilSettled: at most kMostRounds
  double variance = 1;           ///< sigma^2 of every weight
  double specific_variance = 0;  ///< of the specific experts; 0: same as `variance`
  /// Exponent a: a feature's prior precision is (1 + its information)^a / variance
  /// (docs/derivation.md §7). 0 treats all features alike.
  double prior_exponent = 0;
  BetaPrior beta = {};
  std::size_t gate_features = 0;  ///< how many, most informative first; 0: all
  bool learn_share = true;
  std::vector<double> first_share = {};  ///< initial pi, [K]; empty: 1/2
  EStep e_step = EStep::training;
  int folds = 5;  ///< of cross_fit
  Centre centre = Centre::zero;
  Gate gate = Gate::presence;
  double gate_variance = 1;  ///< of the logistic gate's weights
  double temperature = 1;    ///< of the first round's posteriors; 1 in the last
  int psi_sweeps = 3;        ///< each counts as 4 iterations of lbfgs
  PsiStep psi_step = PsiStep::sweep;
  Refresh refresh = Refresh::step;
  double tolerance = 1e-4;  ///< of fits from the fifth round on; looser before
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  std::uint64_t seed = 1;                                ///< deals rows into folds
  std::function<void(const MixtureStep&)> on_step = {};  ///< costs an objective per step
  std::function<void(double fraction)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};       ///< after each expert's fit
  std::function<void(const MixtureState&)> on_round = {};  ///< after each round
  const MixtureState* resume = nullptr;                    ///< state to continue from
  FitMemo* memo = nullptr;  ///< of first rounds; not used with several ranks
};

/// With `--rounds auto`, conditional EM stops after this many rounds even if it has not
/// settled.
inline constexpr int kMostRounds = 200;

/// Fits data of one domain: pi is 1 and the general component is plain maximum entropy. A
/// free pi would split the rows between two experts and double the regularisation.
Mixture fit_single_domain(const Dataset& data, const MixtureOptions& options,
                          const Execution& exec);

/// Trains K domain components and a general one by conditional EM (D&M06 §4-5, as corrected
/// in docs/derivation.md).
///
///     Mixture model = fit_mixture(data, {.rounds = 5}, exec);
///
/// With the training E-step and zero-centred priors the penalised conditional likelihood
/// never falls from one sub-step to the next; with Refresh::round, from one round to the
/// next. No round depends on the number of rounds to come: the mixture after 5 of 20 rounds
/// is that of a fit with 5 rounds, unless `temperature` falls over the rounds. Throws
/// UsageError if a domain has no weighted row or options contradict each other, and
/// NumericError, naming round, step and component, if a value is not finite.
Mixture fit_mixture(const Dataset& data, const MixtureOptions& options,
                    const Execution& exec);

}  // namespace megadapt
