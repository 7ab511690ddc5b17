#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/models.hpp"

namespace megadapt {

/// lambda ~ N(mean, variance I), or with a precision of its own for each feature.
struct GaussianPrior {
  double variance = 1;                  ///< sigma^2 per weight
  std::span<const double> mean = {};    ///< [F][Y]; empty means zero
  std::span<const double> factor = {};  ///< [F]; times 1 / variance; empty means 1
};

enum class Optimizer { newton_cg, lbfgs };
enum class Precision { single_, double_ };  ///< of the kernels; sums are always double

struct MaxentOptions {
  GaussianPrior prior = {};
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  /// Stop when the estimated distance to the optimal objective, relative to it, is below.
  double tolerance = 1e-4;
  int max_passes = 1000;               ///< passes over the non-zeros
  std::span<const double> start = {};  ///< [F][Y]; empty means the prior's mean
  /// Called after each iteration with the objective and the estimated relative gap.
  std::function<void(double objective, double gap)> on_iteration = {};
};

struct MaxentFit {
  std::vector<double> weights;  // [F][Y]
  double objective = 0;         ///< negative log posterior, without constants
  double gap = 0;               ///< estimated relative distance to the optimum
  int passes = 0;               ///< evaluations of a gradient or of a Hessian product
  bool converged = false;
};

/// What leaving a row out does to its own prediction, for every row of a problem.
struct LeaveOneOut {
  std::vector<double> log_likelihood;  // [rows]; log p(y_n | x_n) of a model without row n
  std::vector<float> probability;      // [rows][Y]; p(y | x_n) of the model with it
  std::vector<float> hessian;          // [F][Y]; diagonal, with the prior and the factor c
  std::vector<double> row_weight;      // [rows]
};

/// A weighted maximum entropy problem over some rows of a data set, made ready once and
/// then solved for any row weights, prior and start:
///
///     MaxentProblem problem(data, data.rows_of(target), exec);
///     MaxentFit fit = problem.fit(weights, {.prior = {.variance = 0.1}}, exec);
///
/// minimises  sum_n w_n [log Z(x_n) - lambda_{y_n} . x_n] + |lambda - mean|^2 / (2
/// variance). A feature that no row uses keeps its prior mean and takes no part in the
/// solve. Weights over rows are [rows]; empty means the data set's own. Rows of weight 0
/// count for nothing.
class MaxentProblem {
 public:
  /// `data` must outlive the problem; `rows` ascend. Rows without a label are refused
  /// (UsageError).
  MaxentProblem(const Dataset& data, std::span<const std::size_t> rows,
                const Execution& exec);
  /// Any rows, also repeated ones, with labels of one's own.
  MaxentProblem(const SparseRows& data, std::uint32_t num_features,
                std::span<const std::size_t> rows, std::vector<std::uint32_t> label,
                std::uint32_t num_labels, const Execution& exec);
  ~MaxentProblem();
  MaxentProblem(MaxentProblem&&) noexcept;

  /// Throws NumericError when the objective is not finite.
  MaxentFit fit(std::span<const double> row_weight, const MaxentOptions& options,
                const Execution& exec) const;

  /// log p(y_n | x_n) of the model `weights` [F][Y], for every row of the problem.
  std::vector<double> log_likelihood(std::span<const double> weights, Precision precision,
                                     const Execution& exec) const;

  /// One-step leave-one-out by the diagonal Hessian (docs/derivation.md §6). `weights` is
  /// the optimum for `row_weight`. With `general`, the prior's mean is that model, which
  /// the row leaves as well; `general_row[n]` is the row's place in it.
  LeaveOneOut leave_one_out(std::span<const double> weights,
                            std::span<const double> row_weight, double variance,
                            const Execution& exec, const LeaveOneOut* general = nullptr,
                            std::span<const std::size_t> general_row = {},
                            std::span<const double> prior_factor = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// psi_f ~ Beta(a, b); a, b >= 1, and a = b = 1 is no prior.
struct BetaPrior {
  double a = 2;
  double b = 2;
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
/// The weights of the rows that the experts are fitted to.
enum class ExpertWeights {
  responsibilities,  ///< how far a row is theirs: the M-step of conditional EM
  full,              ///< all of it: experts are fitted once, and EM learns to mix them
};
/// How P(general | x) is modelled.
enum class Gate {
  presence,  ///< by two naive Bayes models of the features present, and pi
  logistic,  ///< by a logistic regression on them
  share,     ///< by pi alone
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

/// Everything a round needs from the one before: saved as a checkpoint.
struct MixtureState {
  int rounds_done = 0;
  Mixture mixture;
  std::vector<double> fitted_general;   // [N]; what the experts were last fitted to
  std::vector<double> fitted_specific;  // [N]
};

struct MixtureOptions {
  int rounds = 5;
  double variance = 1;           ///< sigma^2 of every weight
  double specific_variance = 0;  ///< of the specific experts; 0: as `variance`
  /// a: a feature that rows tell much about is held tighter, with the precision
  /// (1 + its information)^a / variance (docs/derivation.md §7). 0: all features alike.
  double prior_exponent = 0;
  BetaPrior beta = {};
  std::size_t gate_features = 0;  ///< the most telling about the domain; 0: all
  bool learn_share = true;
  std::vector<double> first_share = {};  ///< pi to begin with, [K]; empty: 1/2
  EStep e_step = EStep::training;
  int folds = 4;  ///< of cross_fit
  Centre centre = Centre::zero;
  ExpertWeights expert_weights = ExpertWeights::responsibilities;
  /// The domain that the mixture is for. Only its rows are left out by cross_fit, and with
  /// full weights only it has an expert of its own; the others have the general one. None:
  /// all domains are alike.
  std::optional<std::uint32_t> target = {};
  Gate gate = Gate::presence;
  double gate_variance = 1;  ///< of the logistic gate's weights
  double temperature =
      1;               ///< posteriors are tempered by this at first, by 1 in the last round
  int psi_sweeps = 3;  ///< or 4 times as many iterations of lbfgs
  PsiStep psi_step = PsiStep::sweep;
  double tolerance = 1e-4;  ///< of the last round's fits; earlier ones are looser
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  std::uint64_t seed = 1;                                ///< deals rows into folds
  std::function<void(const MixtureStep&)> on_step = {};  ///< costs a few logarithms
  std::function<void(double fraction)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};       ///< after each expert's fit
  std::function<void(const MixtureState&)> on_round = {};  ///< after each round
  const MixtureState* resume = nullptr;                    ///< go on from here
  std::span<const double> start = {};  ///< of the general expert, [F][Y]; empty: 0
};

/// Trains K domain components and a general one by conditional EM (D&M06 §4-5, as corrected
/// in docs/derivation.md).
///
///     Mixture model = fit_mixture(data, {.rounds = 5}, exec);
///
/// With the training E-step and zero-centred priors the penalised conditional likelihood
/// never falls from one sub-step to the next. K = 1 holds pi at 1 and is plain maximum
/// entropy. Throws UsageError when a domain has no weighted row, or an option makes no
/// sense; NumericError, naming round, step and component, when a value is not finite.
Mixture fit_mixture(const Dataset& data, const MixtureOptions& options,
                    const Execution& exec);

}  // namespace megadapt
