#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// lambda ~ N(mean, variance I), or with a separate precision for each feature.
struct GaussianPrior {
  double variance = 1;                  ///< sigma^2 per weight
  std::span<const double> mean = {};    ///< [F][Y]; empty means zero
  std::span<const double> factor = {};  ///< [F]; multiplies 1 / variance; empty: 1
};

struct MaxentOptions {
  GaussianPrior prior = {};
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  /// Stop when the estimated relative distance to the optimal objective is below this.
  double tolerance = 1e-4;
  int max_passes = 1000;  ///< passes over the non-zeros
  double min_gain = 0;    ///< L-BFGS: stop when an iteration lowers f by less than this
  std::span<const double> start = {};  ///< [F][Y]; empty means the prior's mean
  /// Called after each iteration with the objective and the estimated relative gap.
  std::function<void(double objective, double gap)> on_iteration = {};
};

/// Copies the settings of the solver: tolerance, passes, optimizer and precision.
template <class From, class To>
void copy_solver(const From& from, To& to) {
  to.tolerance = from.tolerance;
  to.max_passes = from.max_passes;
  to.optimizer = from.optimizer;
  to.precision = from.precision;
}

/// How each row of a problem is predicted by a model that is fitted without it.
struct LeaveOneOut {
  std::vector<double> log_likelihood;  // [rows]; log p(y_n | x_n) of a model without row n
  std::vector<float> probability;      // [rows][Y]; p(y | x_n) of the full model
  std::vector<float> hessian;          // [F][Y]; diagonal, prior and coupling included
  std::vector<double> row_weight;      // [rows]
};

/// A weighted maximum entropy problem over some rows of a data set. It is prepared once and
/// then solved for any row weights, prior and start:
///
///     MaxentProblem problem(data, data.rows_of(target), exec);
///     MaxentFit fit = problem.fit(weights, {.prior = {.variance = 0.1}}, exec);
///
/// minimises
///     sum_n w_n [log Z(x_n) - lambda_{y_n} . x_n] + |lambda - mean|^2 / (2 variance),
/// where a row with an uncertain label has the mean of lambda_y . x_n over its labels. A
/// feature that no row uses keeps its prior mean and takes no part in the solve. Row
/// weights are [rows]; empty means the data set's own. Rows of weight 0 have no effect.
class MaxentProblem {
 public:
  /// `data` must outlive the problem; `rows` must ascend. Throws UsageError for rows
  /// without a label.
  MaxentProblem(const Dataset& data, RowIds rows, const Execution& exec);
  /// Any rows, even repeated ones, with labels from the caller. `soft` has the labels of
  /// uncertain rows, by their positions in `rows`.
  MaxentProblem(const SparseRows& data, std::uint32_t num_features, RowIds rows,
                std::vector<std::uint32_t> label, std::uint32_t num_labels,
                const Execution& exec, SoftLabels soft = {});
  ~MaxentProblem();
  MaxentProblem(MaxentProblem&&) noexcept;

  /// Returns the optimum. Throws NumericError if the objective is not finite.
  MaxentFit fit(std::span<const double> row_weight, const MaxentOptions& options,
                const Execution& exec) const;

  /// Returns log p(y_n | x_n) of the model `weights` [F][Y] for every row of the problem:
  /// the mean, sum_y q_ny log p(y | x_n), if the row's label is uncertain.
  std::vector<double> log_likelihood(std::span<const double> weights, Precision precision,
                                     const Execution& exec) const;

  /// One-step leave-one-out by the diagonal Hessian (docs/derivation.md §6). `weights` must
  /// be the optimum for `row_weight`. With `general`, that model is the prior's mean and
  /// the row is left out of it too; `general_row[n]` is the row's index in it.
  LeaveOneOut leave_one_out(std::span<const double> weights,
                            std::span<const double> row_weight, double variance,
                            const Execution& exec, const LeaveOneOut* general = nullptr,
                            RowIds general_row = {},
                            std::span<const double> prior_factor = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
