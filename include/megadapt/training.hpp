#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace megadapt {

enum class Optimizer { newton_cg, lbfgs };
enum class Precision { single_, double_ };  ///< of the kernels; sums are always double

struct MaxentFit {
  std::vector<double> weights;  // [F][Y]
  double objective = 0;         ///< negative log posterior, without constants
  double gap = 0;               ///< estimated relative distance to the optimum
  int passes = 0;               ///< evaluations of a gradient or of a Hessian product
  bool converged = false;
};

/// Which of a source model's predictions become features.
enum class SourceFeatures : std::uint32_t { labels = 1, probabilities = 2, both = 3 };

/// psi_f ~ Beta(a, b); a, b >= 1, and a = b = 1 is no prior.
struct BetaPrior {
  double a = 2;
  double b = 2;
  bool operator==(const BetaPrior&) const = default;
};

/// With which predictions the E-step judges who explains a label.
enum class EStep {
  training,       ///< those of the fitted experts: the penalised likelihood never falls
  leave_one_out,  ///< those of experts that have not seen the row, to first order
  cross_fit,      ///< those of experts refitted without the row's fold
};
/// The prior mean of the specific experts.
enum class Centre {
  zero,
  general,  ///< the general expert
  others,   ///< what the general expert would be without the rows of the domain
};
/// How P(general | x) is modelled.
enum class Gate {
  presence,  ///< by two naive Bayes models of the features present, and pi
  logistic,  ///< by a logistic regression on them
};
/// How the presence gate maximises its bound: feature by feature, or all features of a
/// component together, which any number of ranks can do.
enum class PsiStep { sweep, lbfgs };

/// One sub-step of conditional EM has ended.
struct MixtureStep {
  int round = 0;         ///< from 1
  std::string step;      ///< "e", "pi", "lambda", "psi"
  double objective = 0;  ///< penalised conditional log likelihood after the step
  double bound = 0;      ///< the gain that the step's lower bound promised
  std::vector<double> general_share;  // pi [K]
};

}  // namespace megadapt
