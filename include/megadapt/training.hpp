#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// lambda ~ N(mean, variance I).
struct GaussianPrior {
  double variance = 1;           ///< sigma^2 per weight
  std::span<const double> mean;  ///< [F][Y]; empty means zero
};

enum class Optimizer { newton_cg, lbfgs };
enum class Precision { single_, double_ };  ///< of the kernels; sums are always double

struct MaxentOptions {
  GaussianPrior prior;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  /// Stop when the estimated distance to the optimal objective, relative to it, is below.
  double tolerance = 1e-4;
  int max_passes = 1000;          ///< passes over the non-zeros
  std::span<const double> start;  ///< [F][Y]; empty means the prior's mean
  /// Called after each iteration with the objective and the estimated relative gap.
  std::function<void(double objective, double gap)> on_iteration;
};

struct MaxentFit {
  std::vector<double> weights;  // [F][Y]
  double objective = 0;         ///< negative log posterior, without constants
  double gap = 0;               ///< estimated relative distance to the optimum
  int passes = 0;               ///< evaluations of a gradient or of a Hessian product
  bool converged = false;
};

/// A weighted maximum entropy problem over some rows of a data set, made ready once and
/// then solved for any row weights, prior and start:
///
///     MaxentProblem problem(data, data.rows_of(target), exec);
///     MaxentFit fit = problem.fit(weights, {.prior = {.variance = 0.1}}, exec);
///
/// minimises  sum_n w_n [log Z(x_n) - lambda_{y_n} . x_n] + |lambda - mean|^2 / (2
/// variance). A feature that no row uses keeps its prior mean and takes no part in the
/// solve.
class MaxentProblem {
 public:
  /// `data` must outlive the problem; `rows` ascend. Rows without a label are refused
  /// (UsageError).
  MaxentProblem(const Dataset& data, std::span<const std::size_t> rows,
                const Execution& exec);
  ~MaxentProblem();
  MaxentProblem(MaxentProblem&&) noexcept;

  /// `weights` is [rows]; empty means the data set's own weights. Rows of weight 0 count
  /// for nothing. Throws NumericError when the objective is not finite.
  MaxentFit fit(std::span<const double> weights, const MaxentOptions& options,
                const Execution& exec) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
