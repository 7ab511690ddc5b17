#include <algorithm>
#include <cmath>
#include <utility>

#include "training/minimize.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kGrain = 1 << 15;
constexpr int kMostInnerSteps = 250;
constexpr int kMostHalvings = 40;
// A Newton step is solved until what conjugate gradients would still gain is this share of
// what they gained: far from the optimum the quadratic model is not worth more.
constexpr double kForcing = 0.05;
// Conjugate gradients that start afresh gain fast at first and say nothing yet of slow
// directions. That they are done is believed after this many steps, or after this share of
// all passes so far; or at once when the gradient alone promises next to nothing.
constexpr int kLeastSteps = 5;
constexpr double kLeastShareOfPasses = 0.33;
constexpr double kNextToNothing = 0.01;

/// Conjugate gradients on the quadratic model at one point. The gain of a step, alpha r.z /
/// 2, is known exactly, so the model's decrease is a by-product.
template <class Real>
class NewtonStep {
 public:
  NewtonStep(MaxentObjective<Real>& objective)
      : objective_(objective),
        step_(objective.dimension()),
        residual_(objective.dimension()),
        direction_(objective.dimension()),
        product_(objective.dimension()),
        inverse_(objective.dimension()) {}

  /// Solves H s = -gradient until the estimated remaining gain is below `enough`, or, while
  /// it is above, below kForcing of what was gained.
  void solve(std::span<const Real> gradient, double enough, int max_passes) {
    prepare(gradient);
    gained_ = 0;
    gains_.assign(1, 0);
    remaining_ = rz_ / 2;
    const int least =
        std::max(kLeastSteps, static_cast<int>(kLeastShareOfPasses * objective_.passes()));
    for (int steps = 1; remaining_ > 0; ++steps) {
      done_ = remaining_ <= enough && (steps > least || rz_ / 2 <= kNextToNothing * enough);
      if (done_ || steps > kMostInnerSteps || objective_.passes() >= max_passes) return;
      if (remaining_ > enough && remaining_ <= kForcing * gained_) return;
      objective_.execution().throw_if_stopped();
      const double curvature = objective_.hessian_product(direction_, product_);
      if (!(curvature > 0)) return;
      const double alpha = rz_ / curvature;
      gained_ += alpha * rz_ / 2;
      gains_.push_back(gained_);
      remaining_ = estimate_remaining();
      advance(static_cast<Real>(alpha));
    }
    done_ = true;
  }

  std::span<const Real> step() const { return step_; }
  double gained() const { return gained_; }        ///< decrease of the quadratic model
  double remaining() const { return remaining_; }  ///< estimate of what was left undone
  bool done() const { return done_; }  ///< whether that is below `enough`, on good evidence

 private:
  void prepare(std::span<const Real> gradient) {
    objective_.hessian_diagonal(inverse_);
    rz_ = objective_.execution().parallel_sum(
        step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            inverse_[i] = Real(1) / inverse_[i];
            step_[i] = 0;
            residual_[i] = -gradient[i];
            direction_[i] = residual_[i] * inverse_[i];
          }
          return objective_.kernels().dot(residual_.data() + first,
                                          direction_.data() + first, last - first);
        });
  }

  void advance(Real alpha) {
    const auto& kernels = objective_.kernels();
    const auto& exec = objective_.execution();
    const double rz =
        exec.parallel_sum(step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
          return kernels.cg_step(alpha, direction_.data() + first, product_.data() + first,
                                 inverse_.data() + first, last - first,
                                 step_.data() + first, residual_.data() + first);
        });
    const Real beta = static_cast<Real>(rz / rz_);
    rz_ = rz;
    exec.parallel_for(step_.size(), kGrain, [&](std::size_t first, std::size_t last) {
      kernels.cg_direction(beta, residual_.data() + first, inverse_.data() + first,
                           last - first, direction_.data() + first);
    });
  }

  // What the steps to come would gain, judged from how the gain per step fell from the
  // second quarter of the steps so far to the second half. Were the fall geometric, the
  // first estimate would be exact; were it a power of the step, the second. Measured gains
  // lie between, and so does the geometric mean of both.
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
  std::vector<Real> step_;
  std::vector<Real> residual_;
  std::vector<Real> direction_;
  std::vector<Real> product_;
  std::vector<Real> inverse_;  // 1 / diagonal of H
  std::vector<double> gains_;  // after so many steps, in all
  double rz_ = 0;
  double gained_ = 0;
  double remaining_ = 0;
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
  Minimum best{objective.value(point), 1, false};

  while (objective.passes() < options.max_passes) {
    objective.gradient(point, gradient);
    newton.solve(gradient, options.tolerance * best.objective, options.max_passes);

    double length = 1;
    double value = best.objective;
    for (int halving = 0; halving < kMostHalvings; ++halving, length /= 2) {
      exec.parallel_for(point.size(), kGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          trial[i] = point[i] + static_cast<Real>(length) * newton.step()[i];
        }
      });
      value = objective.value(trial);
      if (best.objective - value >= 1e-4 * length * 2 * newton.gained()) break;
    }
    const double fall = best.objective - value;
    const double unforeseen = (fall - newton.gained()) / newton.gained();
    if (!(fall > 0)) {
      // Rounding hides what is left to gain: this is the optimum as far as Real can tell.
      objective.value(point);
      best.gap = (newton.gained() + newton.remaining()) / best.objective;
      best.converged = best.gap <= options.tolerance;
      return best;
    }
    point.swap(trial);
    best.objective = value;
    // What conjugate gradients left undone, and what the quadratic model did not foresee:
    // near the optimum the error of a Newton step is of second order.
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
