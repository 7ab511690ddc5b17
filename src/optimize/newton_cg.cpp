#include <algorithm>
#include <cmath>
#include <limits>

#include "optimize/minimize.hpp"

namespace megadapt {
namespace {

constexpr int kMostInnerSteps = 250;
// Far from the optimum, stop a Newton step when the estimated remaining gain is this share
// of the gain so far: the quadratic model is not accurate enough for more.
constexpr double kForcing = 0.05;
// The first steps of conjugate gradients gain fast and say nothing about slow directions.
// Accept convergence only after this many steps or this share of all passes so far, or if
// the gradient alone promises less than kNextToNothing of the tolerance.
constexpr int kLeastSteps = 5;
constexpr double kLeastShareOfPasses = 0.33;
constexpr double kNextToNothing = 0.01;

/// How far the quadratic model is trusted, learnt from the outcome of steps (the rules of
/// Lin & Moré 1999). If labels are nearly separable the model promises many times the
/// possible gain, and solving each step in full would be wasted work.
class TrustRadius {
 public:
  double value() const { return radius_; }
  void scale(double factor) { radius_ *= factor; }

  /// Updates the radius after a step of `length`. The model promised `gained`, the
  /// objective fell by `fall`; `slope` < 0 is its derivative along the step at the old
  /// point.
  void learn(double length, bool at_radius, double gained, double fall, double slope) {
    if (radius_ == std::numeric_limits<double>::infinity()) radius_ = length;
    // The minimum of the parabola through both values and the slope.
    const double bend = -fall - slope;
    const double lowest =
        bend > 0 ? std::max(0.25, -slope / (2 * bend)) * length : 4 * length;
    if (fall < 0.25 * gained) {
      radius_ = std::max(0.25 * radius_, std::min(lowest, 0.5 * radius_));
    } else if (fall < 0.75 * gained) {
      radius_ = std::max(0.25 * radius_, std::min(lowest, 4 * radius_));
    } else {
      radius_ = at_radius ? 4 * radius_ : std::max(radius_, std::min(lowest, 4 * radius_));
    }
  }

 private:
  double radius_ = std::numeric_limits<double>::infinity();
};

/// Conjugate gradients on the quadratic model at one point. They also give its decrease.
template <class Real>
class NewtonStep {
 public:
  explicit NewtonStep(MaxentObjective<Real>& objective)
      : objective_(objective),
        exec_(objective.execution()),
        step_(objective.dimension()),
        residual_(objective.dimension()),
        direction_(objective.dimension()),
        product_(objective.dimension()),
        inverse_(objective.dimension()) {}

  /// Solves H s = -gradient until the estimated remaining gain is below `enough` or below
  /// kForcing of the gain so far, or until s is `radius` long. Lengths are in the norm of the
  /// preconditioner, in which s grows with every step of conjugate gradients.
  void solve(std::span<const Real> gradient, double enough, TrustRadius& radius,
             int max_passes) {
    prepare(gradient, radius);
    const int least =
        std::max(kLeastSteps, static_cast<int>(kLeastShareOfPasses * objective_.passes()));
    for (int steps = 1; remaining_ > 0; ++steps) {
      done_ = remaining_ <= enough && (steps > least || rz_ / 2 <= kNextToNothing * enough);
      if (done_ || steps > kMostInnerSteps || objective_.passes() >= max_passes) return;
      if (remaining_ > enough && remaining_ <= kForcing * gained_) return;
      exec_.throw_if_stopped();
      const double curvature = objective_.hessian_product(direction_, product_);
      if (!(curvature > 0)) return;
      const double farthest = until(radius.value());
      at_radius_ = rz_ / curvature >= farthest;
      const double alpha = at_radius_ ? farthest : rz_ / curvature;
      gained_ += alpha * rz_ - alpha * alpha * curvature / 2;
      gains_.push_back(gained_);
      remaining_ = estimate_remaining();
      advance(static_cast<Real>(alpha));
      if (at_radius_) return;
    }
    done_ = true;
  }

  std::span<const Real> step() const { return step_; }
  double gained() const { return gained_; }        ///< decrease of the quadratic model
  double remaining() const { return remaining_; }  ///< estimated gain that is left
  bool done() const { return done_; }  ///< whether it is reliably below `enough`
  double length() const { return std::sqrt(squared_length_); }
  bool at_radius() const { return at_radius_; }

 private:
  void prepare(std::span<const Real> gradient, TrustRadius& radius) {
    objective_.hessian_diagonal(inverse_);
    // The preconditioner changes the norm, so rescale the radius: the last step keeps its
    // length relative to it.
    const double as_long =
        exec_.parallel_sum(step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
          double sum = 0;
          for (std::size_t i = first; i < last; ++i) {
            sum += static_cast<double>(step_[i] * step_[i] * inverse_[i]);
          }
          return sum;
        });
    if (squared_length_ > 0) radius.scale(std::sqrt(as_long / squared_length_));
    rz_ =
        exec_.parallel_sum(step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            inverse_[i] = Real(1) / inverse_[i];
            step_[i] = 0;
            residual_[i] = -gradient[i];
            direction_[i] = residual_[i] * inverse_[i];
          }
          return objective_.kernels().dot(residual_.data() + first,
                                          direction_.data() + first, last - first);
        });
    squared_length_ = along_ = gained_ = 0;
    squared_direction_ = rz_;
    gains_.assign(1, 0);
    remaining_ = rz_ / 2;
    at_radius_ = done_ = false;
  }

  // Returns how far along the direction the step becomes `radius` long.
  double until(double radius) const {
    const double room = std::max(0.0, radius * radius - squared_length_);
    return room / (along_ + std::sqrt(along_ * along_ + squared_direction_ * room));
  }

  void advance(Real alpha) {
    const auto& kernels = objective_.kernels();
    const double rz =
        exec_.parallel_sum(step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
          return kernels.cg_step(alpha, direction_.data() + first, product_.data() + first,
                                 inverse_.data() + first, last - first,
                                 step_.data() + first, residual_.data() + first);
        });
    const Real beta = static_cast<Real>(rz / rz_);
    rz_ = rz;
    exec_.parallel_for(step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
      kernels.cg_direction(beta, residual_.data() + first, inverse_.data() + first,
                           last - first, direction_.data() + first);
    });
    const double a = static_cast<double>(alpha);
    const double b = static_cast<double>(beta);
    squared_length_ += a * (2 * along_ + a * squared_direction_);
    along_ = b * (along_ + a * squared_direction_);
    squared_direction_ = rz + b * b * squared_direction_;
  }

  // Estimates what further steps would gain, from how the gain per step fell between the
  // second quarter of the steps so far and the second half. `geometric` is exact if the
  // fall is geometric, `power` if it is a power of the step number. Measured gains lie
  // between the two, so this returns their geometric mean.
  double estimate_remaining() const {
    const std::size_t steps = gains_.size() - 1;
    if (steps < 4) return gains_.back();
    const double latter = gains_[steps] - gains_[steps / 2];
    const double former = gains_[steps / 2] - gains_[steps / 4];
    const double n = static_cast<double>(steps);
    const double per_step = latter / (n / 2);
    const double fall =
        std::min(0.99, std::pow(per_step / (former / (n / 4)), 8 / (3 * n)));
    const double geometric = per_step * std::pow(fall, n / 4) * fall / (1 - fall);
    const double ratio = std::min(0.9, latter / former);
    const double power = latter * ratio / (1 - ratio);
    return std::sqrt(geometric * power);
  }

  MaxentObjective<Real>& objective_;
  const Execution& exec_;
  std::vector<Real> step_;
  std::vector<Real> residual_;
  std::vector<Real> direction_;
  std::vector<Real> product_;
  std::vector<Real> inverse_;  // 1 / diagonal of H
  std::vector<double> gains_;  // total gain after each step
  double rz_ = 0;
  double squared_length_ = 0;  // |s|^2, s . d and |d|^2 in the norm of the preconditioner
  double along_ = 0;
  double squared_direction_ = 0;
  double gained_ = 0;
  double remaining_ = 0;
  bool at_radius_ = false;
  bool done_ = false;
};

}  // namespace

template <class Real>
Minimum minimize_newton_cg(MaxentObjective<Real>& objective, std::vector<Real>& point,
                           const MinimizeOptions& options) {
  const Execution& exec = objective.execution();
  std::vector<Real> gradient(point.size());
  std::vector<Real> trial(point.size());
  NewtonStep<Real> newton(objective);
  TrustRadius radius;
  Minimum best{objective.value(point), 1, false};

  while (objective.passes() < options.max_passes) {
    objective.gradient(point, gradient);
    newton.solve(gradient, options.tolerance * best.objective, radius, options.max_passes);
    const double slope =
        exec.parallel_sum(point.size(), kGrain, [&](std::size_t first, std::size_t last) {
          return objective.kernels().dot(gradient.data() + first,
                                         newton.step().data() + first, last - first);
        });

    double length = 1;
    double value = best.objective;
    for (int halving = 0; halving < kMostHalvings; ++halving, length /= 2) {
      exec.parallel_for(point.size(), kGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          trial[i] = point[i] + static_cast<Real>(length) * newton.step()[i];
        }
      });
      value = objective.value(trial);
      if (halving == 0) {
        radius.learn(newton.length(), newton.at_radius(), newton.gained(),
                     best.objective - value, slope);
      }
      if (best.objective - value >= 1e-4 * length * 2 * newton.gained()) break;
    }
    const double fall = best.objective - value;
    const double unforeseen = (fall - newton.gained()) / newton.gained();
    if (!(fall > 0)) {
      // Rounding hides any further gain: this is the optimum in the precision of Real.
      objective.value(point);
      best.gap = (newton.gained() + newton.remaining()) / best.objective;
      best.converged = best.gap <= options.tolerance;
      return best;
    }
    point.swap(trial);
    best.objective = value;
    // The gain that conjugate gradients left, plus what the quadratic model did not
    // foresee: near the optimum the error of a Newton step is of second order.
    best.gap = (newton.remaining() + unforeseen * unforeseen * newton.gained()) / value;
    if (options.on_iteration) options.on_iteration(best.objective, best.gap);
    best.converged = newton.done() && best.gap <= options.tolerance;
    if (best.converged) return best;
  }
  return best;
}

template Minimum minimize_newton_cg(MaxentObjective<float>&, std::vector<float>&,
                                    const MinimizeOptions&);
template Minimum minimize_newton_cg(MaxentObjective<double>&, std::vector<double>&,
                                    const MinimizeOptions&);

}  // namespace megadapt
