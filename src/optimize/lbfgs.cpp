#include <algorithm>
#include <utility>

#include "optimize/candidate_objective.hpp"
#include "optimize/minimize.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kHistory = 8;
constexpr int kWindow = 6;  // iterations of progress that are compared

/// The L-BFGS estimate of the inverse Hessian: a diagonal, corrected by the last steps s
/// and the gradient changes y they caused (Nocedal 1980).
template <class Objective, class Real>
class InverseHessian {
 public:
  explicit InverseHessian(Objective& objective)
      : objective_(objective), diagonal_(objective.dimension()) {
    objective.hessian_diagonal(diagonal_);
    // Without a prior, a weight that no row needs has no curvature.
    for (Real& value : diagonal_) value = value > 0 ? Real(1) / value : Real(1);
  }

  /// direction = -H^-1 gradient, by the two-loop recursion.
  void apply(std::span<const Real> gradient, std::vector<Real>& direction) const {
    for_each([&](std::size_t i) { direction[i] = -gradient[i]; });
    std::vector<double> along(pairs_.size());
    for (std::size_t p = pairs_.size(); p-- > 0;) {
      along[p] = dot(pairs_[p].s, direction) / pairs_[p].sy;
      add(-along[p], pairs_[p].y, direction);
    }
    for_each(
        [&](std::size_t i) { direction[i] *= static_cast<Real>(scale_) * diagonal_[i]; });
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      add(along[p] - dot(pairs_[p].y, direction) / pairs_[p].sy, pairs_[p].s, direction);
    }
  }

  /// Learns from the step between two points. Skips a pair without positive curvature,
  /// which only rounding can cause.
  void learn(const std::vector<Real>& point, const std::vector<Real>& next,
             const std::vector<Real>& gradient, const std::vector<Real>& next_gradient) {
    auto &s = spare_.s, &y = spare_.y;
    s.resize(diagonal_.size());
    y.resize(diagonal_.size());
    for_each([&](std::size_t i) {
      s[i] = next[i] - point[i];
      y[i] = next_gradient[i] - gradient[i];
    });
    const double sy = spare_.sy = dot(s, y);
    const double yy = objective_.execution().parallel_sum(
        y.size(), kGrain, [&](std::size_t first, std::size_t last) {
          double sum = 0;
          for (std::size_t i = first; i < last; ++i) {
            sum += static_cast<double>(y[i]) * static_cast<double>(y[i] * diagonal_[i]);
          }
          return sum;
        });
    if (!(sy > 0) || !(yy > 0)) return;
    scale_ = sy / yy;
    pairs_.push_back(std::move(spare_));
    spare_ = {};
    if (pairs_.size() <= kHistory) return;
    spare_ = std::move(pairs_.front());
    pairs_.erase(pairs_.begin());
  }

  template <class Body>
  void for_each(Body body) const {
    objective_.execution().parallel_for(diagonal_.size(), kGrain,
                                        [&](std::size_t first, std::size_t last) {
                                          for (std::size_t i = first; i < last; ++i)
                                            body(i);
                                        });
  }

  double dot(const std::vector<Real>& a, const std::vector<Real>& b) const {
    return objective_.execution().parallel_sum(
        a.size(), kGrain, [&](std::size_t first, std::size_t last) {
          return objective_.kernels().dot(a.data() + first, b.data() + first, last - first);
        });
  }

 private:
  struct Pair {
    std::vector<Real> s, y;
    double sy = 0;
  };

  void add(double scale, const std::vector<Real>& a, std::vector<Real>& out) const {
    objective_.execution().parallel_for(
        a.size(), kGrain, [&](std::size_t first, std::size_t last) {
          objective_.kernels().add_scaled(static_cast<Real>(scale), a.data() + first,
                                          last - first, out.data() + first);
        });
  }

  Objective& objective_;
  std::vector<Real> diagonal_;
  std::vector<Pair> pairs_;
  Pair spare_;  // reuses the memory of the oldest pair
  double scale_ = 1;
};

// Estimates the relative distance to the optimum from the decrease over the last two
// windows, assuming that decreases shrink geometrically from window to window.
double estimate_gap(const std::vector<double>& values) {
  const std::size_t n = values.size() - 1;
  if (n < 2 * kWindow) return 1;
  const double latter = values[n - kWindow] - values[n];
  const double former = values[n - 2 * kWindow] - values[n - kWindow];
  const double ratio = former > 0 ? std::clamp(latter / former, 0.5, 0.95) : 0.95;
  return latter * ratio / (1 - ratio) / values[n];
}

}  // namespace

template <class Objective, class Real>
Minimum minimize_lbfgs(Objective& objective, std::vector<Real>& point,
                       const MinimizeOptions& options) {
  const std::size_t dimension = point.size();
  std::vector<Real> gradient(dimension), next_gradient(dimension);
  std::vector<Real> next(dimension), direction(dimension);
  std::vector<double> values{objective.value(point)};
  InverseHessian<Objective, Real> inverse(objective);
  objective.gradient(point, gradient);
  Minimum best{values[0], 1, false};

  while (objective.passes() < options.max_passes) {
    objective.execution().throw_if_stopped();
    inverse.apply(gradient, direction);
    const double slope = inverse.dot(gradient, direction);
    double length = 1;
    double value = best.objective;
    for (int halving = 0; halving < kMostHalvings; ++halving, length /= 2) {
      inverse.for_each([&](std::size_t i) {
        next[i] = point[i] + static_cast<Real>(length) * direction[i];
      });
      value = objective.value(next);
      if (value <= best.objective + 1e-4 * length * slope) break;
    }
    if (!(value < best.objective)) {
      // Rounding hides any further gain: this is the optimum in the precision of Real.
      best.gap = std::max(0.0, -slope / 2 / best.objective);
      best.converged = best.gap <= options.tolerance;
      objective.value(point);
      return best;
    }
    objective.gradient(next, next_gradient);
    inverse.learn(point, next, gradient, next_gradient);
    point.swap(next);
    gradient.swap(next_gradient);
    values.push_back(value);
    const double gain = best.objective - value;
    best.objective = value;
    best.gap = estimate_gap(values);
    if (options.on_iteration) options.on_iteration(best.objective, best.gap);
    best.converged = best.gap <= options.tolerance;
    if (best.converged || gain < options.min_gain) return best;
  }
  return best;
}

template Minimum minimize_lbfgs(MaxentObjective<float>&, std::vector<float>&,
                                const MinimizeOptions&);
template Minimum minimize_lbfgs(MaxentObjective<double>&, std::vector<double>&,
                                const MinimizeOptions&);
template Minimum minimize_lbfgs(CandidateObjective&, std::vector<double>&,
                                const MinimizeOptions&);

}  // namespace megadapt
