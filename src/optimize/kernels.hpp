#pragma once

#include <cstddef>
#include <cstdint>

#include "optimize/tiled_rows.hpp"

namespace megadapt {

/// Input of own_influence(). Each array is [F][stride] or [rows of the call][stride]; the
/// last three are null without a general expert.
template <class Real>
struct Influence {
  const Real* hessian;          // H, diagonal
  const Real* pull;             // w_n (p_n - e_{y_n})
  const Real* own;              // the row's part of H if x = 1
  Real precision;               // 1 / sigma^2
  const Real* general_hessian;  // the same for the general expert, the prior's mean
  const Real* general_pull;
  const Real* general_own;
};

/// The inner loops of training for one number of labels, compiled for this processor.
/// Weights are [F][stride], row arrays [N][stride]; padding after the last label is 0.
template <class Real>
struct Kernels {
  /// score[n] = sum_f x_nf weight[f] for rows [first, last); score begins at row `first`.
  void (*scores)(const std::uint64_t* begin, const std::uint32_t* feature,
                 const float* value, const Real* weight, std::uint32_t stride,
                 std::size_t first, std::size_t last, Real* score);

  /// sum[f] += sum_n x_nf row_value[n] over one piece; `row_value` begins at the tile.
  void (*column_sums)(TiledRows::Piece piece, const Real* row_value, std::uint32_t stride,
                      Real* sum);
  /// Like column_sums, with x_nf^2.
  void (*squared_column_sums)(TiledRows::Piece piece, const Real* row_value,
                              std::uint32_t stride, Real* sum);

  /// Turns scores of `count` rows into p(y | x_n), in place, and returns
  /// -sum_n w_n log p(y_n | x_n). `log_likelihood`, if not null, gets log p(y_n | x_n).
  double (*softmax)(Real* score, const std::uint32_t* label, const Real* row_weight,
                    std::size_t count, std::uint32_t num_labels, std::uint32_t stride,
                    double* log_likelihood);

  /// out_n = w_n (p_n - e_{y_n}): the gradient of the loss in the scores.
  void (*residuals)(const Real* probability, const std::uint32_t* label,
                    const Real* row_weight, std::size_t count, std::uint32_t stride,
                    Real* out);

  /// out_n = w_n (diag(p_n) - p_n p_n') u_n, in place over the scores u of a direction.
  void (*curvature)(const Real* probability, const Real* row_weight, std::size_t count,
                    std::uint32_t stride, Real* direction);

  /// out_n = w_n p_n (1 - p_n): the diagonal of that matrix.
  void (*diagonal)(const Real* probability, const Real* row_weight, std::size_t count,
                   std::uint32_t stride, Real* out);

  /// shift[n] = sum_f x_nf^2
  ///              (pull + precision general_pull / (G_f - general_own x_nf^2))
  ///              / (H_f - own x_nf^2)
  /// for rows [first, last); row arrays begin at row `first`.
  void (*own_influence)(const std::uint64_t* begin, const std::uint32_t* feature,
                        const float* value, const Influence<Real>& influence,
                        std::uint32_t stride, std::size_t first, std::size_t last,
                        Real* shift);

  /// sum_i a_i b_i, in double.
  double (*dot)(const Real* a, const Real* b, std::size_t count);
  /// sum_i (a_i - b_i)^2, in double.
  double (*squared_distance)(const Real* a, const Real* b, std::size_t count);

  /// out_i += scale a_i.
  void (*add_scaled)(Real scale, const Real* a, std::size_t count, Real* out);

  /// One step of conjugate gradients: x += alpha d, r -= alpha q.
  /// Returns sum_i r_i^2 / m_i; `inverse` holds 1 / m.
  double (*cg_step)(Real alpha, const Real* d, const Real* q, const Real* inverse,
                    std::size_t count, Real* x, Real* r);
  /// The next direction: d = r / m + beta d.
  void (*cg_direction)(Real beta, const Real* r, const Real* inverse, std::size_t count,
                       Real* d);
};

/// Returns the kernels for `num_labels` with the widest vectors that this processor has.
template <class Real>
const Kernels<Real>& kernels_for(std::uint32_t num_labels);

}  // namespace megadapt
