#include "optimize/maxent_objective.hpp"

#include <algorithm>

#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kRowsPerFill = 128;  // few, because a tile may have few rows

// sum_i factor_i (weights_i - mean_i)^2 over a range.
template <class Real>
double scaled_distance(std::span<const Real> weights, std::span<const Real> mean,
                       std::span<const Real> factor, std::size_t first, std::size_t last) {
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) {
    const double apart = static_cast<double>(weights[i] - (mean.empty() ? 0 : mean[i]));
    sum += static_cast<double>(factor[i]) * apart * apart;
  }
  return sum;
}

}  // namespace

const SoftLabels& no_soft_labels() {
  static const SoftLabels none;
  return none;
}

template <class Real>
double soft_loss(const SoftLabels& soft, std::size_t first, std::size_t last,
                 const std::uint32_t* label, const Real* row_weight, const Real* score,
                 std::uint32_t stride, double* log_likelihood) {
  double sum = 0;
  for (std::size_t i = soft.first_from(first); i < soft.size() && soft.row[i] < last; ++i) {
    const std::size_t n = soft.row[i] - first;
    const Real* own = score + n * stride;
    const double best = static_cast<double>(own[label[n]]);
    double less = 0;
    for (const LabelShare& one : soft[i]) {
      less += static_cast<double>(one.share) * (best - static_cast<double>(own[one.label]));
    }
    sum += static_cast<double>(row_weight[n]) * less;
    if (log_likelihood) log_likelihood[n] = -less;
  }
  return sum;
}
template double soft_loss(const SoftLabels&, std::size_t, std::size_t, const std::uint32_t*,
                          const float*, const float*, std::uint32_t, double*);
template double soft_loss(const SoftLabels&, std::size_t, std::size_t, const std::uint32_t*,
                          const double*, const double*, std::uint32_t, double*);

template <class Real>
MaxentObjective<Real>::MaxentObjective(const TiledRows& rows,
                                       std::span<const std::uint32_t> label,
                                       std::span<const Real> row_weight,
                                       std::uint32_t num_labels, double variance,
                                       std::span<const Real> mean,
                                       std::span<const Real> factor, const Execution& exec,
                                       std::size_t most_kept, const SoftLabels& soft)
    : rows_(rows),
      label_(label),
      soft_(soft),
      row_weight_(row_weight),
      num_labels_(num_labels),
      stride_(label_stride(num_labels)),
      precision_(static_cast<Real>(1 / variance)),
      mean_(mean),
      factor_(factor),
      exec_(exec),
      kernels_(kernels_for<Real>(num_labels)),
      keeps_(keeps_probabilities(rows.num_rows(), stride_, sizeof(Real), most_kept)),
      probability_(keeps_ ? rows.num_rows() * stride_ : 0),
      tile_value_(rows.tile_end(0) * stride_) {}

// Returns the loss of these rows, and writes their probabilities to `p`.
template <class Real>
double MaxentObjective<Real>::compute_probabilities(std::size_t first, std::size_t last,
                                                    Real* p) const {
  kernels_.scores(rows_.begin(), rows_.feature(), rows_.value(), point_.data(), stride_,
                  first, last, p);
  // The kernel treats the most probable label as the row's only one.
  const double more = soft_loss(soft_, first, last, label_.data() + first,
                                row_weight_.data() + first, p, stride_, nullptr);
  return more + kernels_.softmax(p, label_.data() + first, row_weight_.data() + first,
                                 last - first, num_labels_, stride_, nullptr);
}

template <class Real>
double MaxentObjective<Real>::value(std::span<const Real> weights) {
  ++half_passes_;
  point_ = weights;
  double loss =
      exec_.parallel_sum(rows_.num_rows(), kRowsPerChunk, [&](auto first, auto last) {
        if (keeps_) {
          return compute_probabilities(first, last, probability_.data() + first * stride_);
        }
        // Added row by row, as the kernels do for several rows, so the bits are the same.
        std::vector<Real> p(stride_);
        double sum = 0;
        for (std::size_t n = first; n < last; ++n) {
          sum += compute_probabilities(n, n + 1, p.data());
        }
        return sum;
      });
  exec_.ranks().sum({&loss, 1});
  const double distance =
      exec_.parallel_sum(dimension(), 1 << 16, [&](auto first, auto last) {
        const Real* w = weights.data();
        if (!factor_.empty()) return scaled_distance(weights, mean_, factor_, first, last);
        if (mean_.empty()) return kernels_.dot(w + first, w + first, last - first);
        return kernels_.squared_distance(w + first, mean_.data() + first, last - first);
      });
  return loss + 0.5 * static_cast<double>(precision_) * distance;
}

// out[f] = sum_n x_nf v_n, or with x_nf^2. fill(first, last, v) writes v for rows [first,
// last). finish(first, last) is called for each range of `out` once its sums are complete;
// the sum of its results is returned. Works tile by tile, so that the v of a tile are
// summed while they are in the cache.
template <class Real>
template <class Fill, class Finish>
double MaxentObjective<Real>::sum_columns(bool squared, std::span<Real> out, Fill fill,
                                          Finish finish) {
  ++half_passes_;
  const bool alone = exec_.ranks().size() == 1;
  const auto kernel = squared ? kernels_.squared_column_sums : kernels_.column_sums;
  std::vector<double> finished(rows_.num_blocks());
  const auto finish_block = [&](std::size_t block) {
    finished[block] = finish(std::size_t{rows_.block_begin(block)} * stride_,
                             std::size_t{rows_.block_end(block)} * stride_);
  };
  for (std::size_t tile = 0; tile < rows_.num_tiles(); ++tile) {
    const std::size_t begin = rows_.tile_begin(tile);
    exec_.parallel_for(
        rows_.tile_end(tile) - begin, kRowsPerFill, [&](auto first, auto last) {
          fill(begin + first, begin + last, tile_value_.data() + first * stride_);
        });
    exec_.for_each_chunk(rows_.num_blocks(), [&](std::size_t block) {
      if (tile == 0) {
        std::fill(out.data() + std::size_t{rows_.block_begin(block)} * stride_,
                  out.data() + std::size_t{rows_.block_end(block)} * stride_, Real(0));
      }
      kernel(rows_.piece(tile, block), tile_value_.data(), stride_, out.data());
      if (alone && tile + 1 == rows_.num_tiles()) finish_block(block);
    });
  }
  if (!alone) {
    exec_.ranks().sum(out);
    exec_.for_each_chunk(rows_.num_blocks(), finish_block);
  }
  double total = 0;
  for (const double part : finished) total += part;
  return total;
}

// Corrects residuals that were computed as if the most probable label were the only one.
template <class Real>
void MaxentObjective<Real>::soften_residuals(std::size_t first, std::size_t last,
                                             const Real* p, Real* out) const {
  for (std::size_t i = soft_.first_from(first); i < soft_.size() && soft_.row[i] < last;
       ++i) {
    const std::size_t at = (soft_.row[i] - first) * stride_;
    const Real w = row_weight_[soft_.row[i]];
    for (const LabelShare& one : soft_[i]) {
      out[at + one.label] = w * (p[at + one.label] - static_cast<Real>(one.share));
    }
  }
}

template <class Real>
void MaxentObjective<Real>::gradient(std::span<const Real> weights, std::span<Real> out) {
  const auto residuals = [&](std::size_t first, std::size_t last, Real* v) {
    with_probabilities(first, last, [&](std::size_t from, std::size_t to, const Real* p) {
      kernels_.residuals(p, label_.data() + from, row_weight_.data() + from, to - from,
                         stride_, v + (from - first) * stride_);
      soften_residuals(from, to, p, v + (from - first) * stride_);
    });
  };
  sum_columns(false, out, residuals, [&](std::size_t first, std::size_t last) {
    if (mean_.empty()) {
      for (std::size_t i = first; i < last; ++i) out[i] += precision(i) * weights[i];
    } else {
      for (std::size_t i = first; i < last; ++i)
        out[i] += precision(i) * (weights[i] - mean_[i]);
    }
    return 0.0;
  });
}

template <class Real>
double MaxentObjective<Real>::hessian_product(std::span<const Real> v,
                                              std::span<Real> out) {
  ++half_passes_;
  const auto curvature = [&](std::size_t first, std::size_t last, Real* u) {
    kernels_.scores(rows_.begin(), rows_.feature(), rows_.value(), v.data(), stride_, first,
                    last, u);
    with_probabilities(first, last, [&](std::size_t from, std::size_t to, const Real* p) {
      kernels_.curvature(p, row_weight_.data() + from, to - from, stride_,
                         u + (from - first) * stride_);
    });
  };
  return sum_columns(false, out, curvature, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) out[i] += precision(i) * v[i];
    return kernels_.dot(v.data() + first, out.data() + first, last - first);
  });
}

template <class Real>
void MaxentObjective<Real>::hessian_diagonal(std::span<Real> out) {
  const auto diagonal = [&](std::size_t first, std::size_t last, Real* v) {
    with_probabilities(first, last, [&](std::size_t from, std::size_t to, const Real* p) {
      kernels_.diagonal(p, row_weight_.data() + from, to - from, stride_,
                        v + (from - first) * stride_);
    });
  };
  sum_columns(true, out, diagonal, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) out[i] += precision(i);
    return 0.0;
  });
}

template class MaxentObjective<float>;
template class MaxentObjective<double>;

}  // namespace megadapt
