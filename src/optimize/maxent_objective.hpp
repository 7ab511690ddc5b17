#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "megadapt/execution.hpp"
#include "optimize/kernels.hpp"
#include "optimize/tiled_rows.hpp"

namespace megadapt {

inline constexpr std::size_t kRowsPerChunk = 1024;  ///< rows per parallel task

/// The probabilities of all rows are kept up to this size, and always with fewer labels than
/// kLabelsToBlock, whose probabilities take less than the rows themselves. Otherwise none
/// are kept: they are computed again, row by row, wherever they are needed. This takes
/// about twice the time and gives the same bits.
inline constexpr std::size_t kMostKeptBytes = std::size_t{256} << 20;
inline constexpr std::uint32_t kLabelsToBlock = 64;

/// Whether the probabilities of `rows` rows are kept; `bytes` is the size of one number.
constexpr bool keeps_probabilities(std::size_t rows, std::uint32_t stride,
                                   std::size_t bytes, std::size_t most = kMostKeptBytes) {
  return stride < kLabelsToBlock || rows * stride * bytes <= most;
}

const SoftLabels& no_soft_labels();

/// The kernels treat the most probable label of a row as its only one. Returns what must be
/// added to their loss for rows [first, last): sum_n w_n sum_y q_ny (s_n,label - s_ny), with
/// the rows' scores s. For each row with an uncertain label, sets `log_likelihood`, if not
/// null, to minus the row's sum over y. The other row arrays begin at row `first`.
template <class Real>
double soft_loss(const SoftLabels& soft, std::size_t first, std::size_t last,
                 const std::uint32_t* label, const Real* row_weight, const Real* score,
                 std::uint32_t stride, double* log_likelihood);

/// The negative log posterior of a weighted maximum entropy model (D&M06 §3.1),
///
///     f(lambda) = sum_n w_n [log Z_n - sum_y q_ny lambda_y . x_n]
///                 + |lambda - mean|^2 / (2 sigma^2),
///
/// where q_n is 1 for the row's label, or the shares of its labels if that is uncertain:
/// its gradient and its curvature, over vectors [F][stride]. Each call takes a pass over
/// the non-zeros, or half of one, and gives every rank the complete sums over rows.
template <class Real>
class MaxentObjective {
 public:
  /// Everything passed by reference or span must outlive the objective. `mean` is
  /// [F][stride], empty for 0. `factor` multiplies the precision; [F][stride], empty for 1.
  MaxentObjective(const TiledRows& rows, std::span<const std::uint32_t> label,
                  std::span<const Real> row_weight, std::uint32_t num_labels,
                  double variance, std::span<const Real> mean, std::span<const Real> factor,
                  const Execution& exec, std::size_t most_kept = kMostKeptBytes,
                  const SoftLabels& soft = no_soft_labels());

  std::size_t dimension() const { return std::size_t{rows_.num_features()} * stride_; }

  /// Returns f at `weights`. The other calls refer to this point, so `weights` must neither
  /// move nor change until the next value(). Half a pass.
  double value(std::span<const Real> weights);
  /// Writes the gradient at the point of the last value(). Half a pass.
  void gradient(std::span<const Real> weights, std::span<Real> out);
  /// Writes H v at that point and returns v . H v. `out` must not overlap `v`. One pass.
  double hessian_product(std::span<const Real> v, std::span<Real> out);
  /// Writes the diagonal of H. Half a pass.
  void hessian_diagonal(std::span<Real> out);

  int passes() const { return (half_passes_ + 1) / 2; }
  const Kernels<Real>& kernels() const { return kernels_; }
  const Execution& execution() const { return exec_; }

  /// Calls use(first, last, p) on pieces of the rows, in order, with their p(y | x_n)
  /// [last - first][stride] at the point of the last value().
  template <class Use>
  void with_probabilities(std::size_t first, std::size_t last, Use use) const {
    if (keeps_) return use(first, last, probability_.data() + first * stride_);
    std::vector<Real> p(stride_);
    for (std::size_t n = first; n < last; ++n) {
      compute_probabilities(n, n + 1, p.data());
      use(n, n + 1, p.data());
    }
  }

 private:
  Real precision(std::size_t i) const {
    return factor_.empty() ? precision_ : precision_ * factor_[i];
  }
  double compute_probabilities(std::size_t first, std::size_t last, Real* p) const;
  void soften_residuals(std::size_t first, std::size_t last, const Real* p,
                        Real* out) const;
  template <class Fill, class Finish>
  double sum_columns(bool squared, std::span<Real> out, Fill fill, Finish finish);

  const TiledRows& rows_;
  std::span<const std::uint32_t> label_;
  const SoftLabels& soft_;
  std::span<const Real> row_weight_;
  std::uint32_t num_labels_;
  std::uint32_t stride_;
  Real precision_;  // 1 / sigma^2
  std::span<const Real> mean_;
  std::span<const Real> factor_;
  const Execution& exec_;
  const Kernels<Real>& kernels_;
  bool keeps_;                     // whether probability_ is used
  std::vector<Real> probability_;  // [N][stride] at point_
  std::span<const Real> point_;    // of the last value()
  std::vector<Real> tile_value_;   // [rows of a tile][stride]; summed by column
  int half_passes_ = 0;
};

}  // namespace megadapt
