#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace megadapt {

enum class Optimizer { newton_cg, lbfgs };
enum class Precision { single_, double_ };  ///< of the kernels; sums are always double

/// The result of one maximum entropy fit.
struct MaxentFit {
  std::vector<double> weights;  // [F][Y]
  double objective = 0;         ///< negative log posterior, without constants
  double gap = 0;               ///< estimated relative distance to the optimum
  int passes = 0;               ///< evaluations of a gradient or a Hessian product
  double work = 0;              ///< non-zeros that all passes visited, on this rank
  bool converged = false;
};

/// Which of a source model's predictions become features.
enum class SourceFeatures : std::uint32_t { labels = 1, probabilities = 2, both = 3 };

/// psi_f ~ Beta(a, b) with a, b >= 1; a = b = 1 is no prior.
struct BetaPrior {
  double a = 2;
  double b = 2;
  bool operator==(const BetaPrior&) const = default;
};

/// The predictions by which the E-step decides which expert explains a label.
enum class EStep {
  training,       ///< of the fitted experts: the penalised likelihood never falls
  leave_one_out,  ///< of experts fitted without the row, to first order
  cross_fit,      ///< of experts refitted without the row's fold
};
/// The prior mean of the specific experts.
enum class Centre {
  zero,
  general,  ///< the general expert
  others,   ///< the general expert as fitted without the rows of the domain
};
/// The model of P(general | x).
enum class Gate {
  presence,  ///< two naive Bayes models of the features present, and pi
  logistic,  ///< a logistic regression on the features present
};
/// How the presence gate maximises its bound: feature by feature, or all features of a
/// component together. Only the latter works on several ranks.
enum class PsiStep { sweep, lbfgs };
/// When the E-step is renewed: before every sub-step, so that none of them lowers the
/// likelihood, or once per round as in D&M06 Fig. 2.
enum class Refresh { step, round };
/// A number of rounds that means: until a round changes little (`--rounds auto`).
inline constexpr int kRoundsUntilSettled = -1;

/// The state after one sub-step of conditional EM.
struct MixtureStep {
  int round = 0;         ///< from 1
  std::string step;      ///< "e", "pi", "lambda", "psi"
  double objective = 0;  ///< penalised conditional log likelihood after the step
  double bound = 0;      ///< the gain that the lower bound of the step guarantees
  std::vector<double> general_share;  // pi [K]
};

/// How conditional EM ended.
struct MixtureEnd {
  int rounds = 0;
  double moved = 0;      ///< the largest change of a general share pi in the last round
  bool settled = false;  ///< the last round changed little
};

}  // namespace megadapt
