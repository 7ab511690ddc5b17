// The M-step of psi for all gate features of a component together (docs/derivation.md
// §5.1). Each evaluation takes one pass over rows, one over columns and one sum over ranks,
// where a sweep would need a sum over ranks for every feature.
#include <algorithm>
#include <cmath>

#include "base/log_space.hpp"
#include "base/tilted_bernoulli.hpp"
#include "mega/presence_step.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kRowsPerChunk = 4096;
constexpr std::size_t kFeaturesPerChunk = 4096;
constexpr std::size_t kHistory = 8;
constexpr int kIterationsPerSweep = 4;
constexpr int kMostHalvings = 40;
constexpr double kLongestStep = 2;    // largest change of a logit in an iteration
constexpr double kNotWorthIt = 1e-3;  // stop if the last gain is below this share of all

using Vec = std::vector<double>;

/// The loss of the bound against the old psi, over theta = logit psi of the gate features:
///
///     sum_g [T (log(1 + e^theta_g) - log(1 + e^old_g)) - P_g (theta_g - old_g)]
///       + R(theta) - R(old)
///     R = sum_n r_n,  log r_n = log r_n(old) + sum_{g in x_n} (theta_g - old_g)
///                               - sum_g [log(1 + e^theta_g) - log(1 + e^old_g)]
///
/// Every rank has the complete sums over rows when a call returns.
class JointBound {
 public:
  JointBound(const Dataset& data, const PresenceStep& step, const Vec& presence,
             const Execution& exec)
      : data_(data),
        step_(step),
        exec_(exec),
        shift_(data.num_features()),
        ratio_(data.num_examples()),
        with_(size()),
        psi_(size()) {
    for (std::size_t g = 0; g < size(); ++g) {
      old_.push_back(logit(presence[step.columns.feature(g)]));
    }
    sum_columns(step.responsibility, successes_);
    double mass[2] = {};
    for (const std::size_t n : step.rows) {
      mass[0] += step.responsibility[n];
      mass[1] += step.prior_mass[n];
    }
    exec.ranks().sum(mass);
    trials_ = step.prior.a + step.prior.b - 2 + mass[0];
    old_total_ = mass[1];
    for (double& count : successes_) count += step.prior.a - 1;
  }

  std::size_t size() const { return step_.columns.size(); }
  const Vec& start() const { return old_; }
  double trials() const { return trials_; }

  /// Returns the loss at `theta`. gradient() expects to be called at the same point.
  double loss(const Vec& theta) {
    const double absent = sum_features([&](std::size_t g) {
      shift_[step_.columns.feature(g)] = theta[g] - old_[g];
      return log_sigmoid(-old_[g]) - log_sigmoid(-theta[g]);
    });
    total_ = exec_.parallel_sum(step_.rows.size(), kRowsPerChunk,
                                [&](std::size_t first, std::size_t last) {
                                  double sum = 0;
                                  for (std::size_t i = first; i < last; ++i)
                                    sum += set_ratio(step_.rows[i], absent);
                                  return sum;
                                });
    exec_.ranks().sum({&total_, 1});
    const double linear =
        sum_features([&](std::size_t g) { return successes_[g] * (theta[g] - old_[g]); });
    return trials_ * absent - linear + total_ - old_total_;
  }

  /// out = (T - R) psi_g + W_g - P_g, where W_g is the sum of r_n over the rows that have
  /// g.
  void gradient(const Vec& theta, Vec& out) {
    sum_columns(ratio_, with_);
    for_features([&](std::size_t g) {
      psi_[g] = sigmoid(theta[g]);
      out[g] = (trials_ - total_) * psi_[g] + with_[g] - successes_[g];
    });
  }

  /// Divides v by an estimate of the Hessian at the point of the last gradient(),
  ///
  ///     (T - R) diag(psi (1 - psi)) + sum_n r_n (x_n - psi)(x_n - psi)'
  ///       ~  D + R q q',   q = W / R - psi,
  ///
  /// where the covariance of the rows' features keeps only its diagonal. The second term
  /// shifts p(x) as a whole: with many features it is by far the steepest direction.
  void divide_by_curvature(Vec& v) const {
    Vec inverse(size());
    const double least = std::max(step_.prior.a + step_.prior.b - 2, 1e-3 * trials_);
    const double prior = std::max(trials_ - total_, least);
    const double total = std::max(total_, 1e-300);
    const auto tilt = [&](std::size_t g) { return with_[g] / total - psi_[g]; };
    for_features([&](std::size_t g) {
      const double covariance = std::max(0.0, with_[g] * (1 - with_[g] / total));
      inverse[g] = 1 / (prior * psi_[g] * (1 - psi_[g]) + covariance + 1e-12 * trials_);
    });
    const double tilted_v =
        sum_features([&](std::size_t g) { return tilt(g) * inverse[g] * v[g]; });
    const double tilted =
        sum_features([&](std::size_t g) { return tilt(g) * tilt(g) * inverse[g]; });
    const double factor = total_ * tilted_v / (1 + total_ * tilted);
    for_features([&](std::size_t g) { v[g] = inverse[g] * (v[g] - factor * tilt(g)); });
  }

  /// Returns the sum of term(g) over the gate features, in an order that does not depend on
  /// the number of threads.
  template <class Term>
  double sum_features(Term term) const {
    return exec_.parallel_sum(size(), kFeaturesPerChunk, [&](auto first, auto last) {
      double sum = 0;
      for (std::size_t g = first; g < last; ++g) sum += term(g);
      return sum;
    });
  }

  template <class Body>
  void for_features(Body body) const {
    exec_.parallel_for(size(), kFeaturesPerChunk, [&](auto first, auto last) {
      for (std::size_t g = first; g < last; ++g) body(g);
    });
  }

 private:
  // Sets and returns r_n at the point of shift_. A row without prior mass keeps r_n = 0.
  double set_ratio(std::size_t n, double absent) {
    if (step_.prior_mass[n] <= 0) return 0;
    const RowView row = data_.rows[n];
    double log_ratio = -absent;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      if (row.values.empty() || row.values[i] > 0) log_ratio += shift_[row.features[i]];
    }
    return ratio_[n] = step_.prior_mass[n] * std::exp(log_ratio);
  }

  void sum_columns(std::span<const double> row_value, Vec& sum) const {
    sum.resize(size());
    for_features([&](std::size_t g) {
      const auto column = step_.columns.rows(g, step_.domain);
      sum[g] = 0;
      for (const std::uint32_t n : column) sum[g] += row_value[n];
    });
    exec_.ranks().sum(sum);
  }

  const Dataset& data_;
  const PresenceStep& step_;
  const Execution& exec_;
  Vec old_;            // [G]
  Vec successes_;      // P [G]
  double trials_ = 0;  // T
  double old_total_ = 0;
  Vec shift_;         // [F]; theta - old, 0 where the gate does not look
  Vec ratio_;         // r [N]
  double total_ = 0;  // R
  Vec with_;          // W [G]
  Vec psi_;           // [G]
};

/// The last steps and the gradient changes they caused: the two-loop recursion of Nocedal
/// (1980) around the bound's own curvature estimate.
class Memory {
 public:
  void direction(const JointBound& bound, const Vec& gradient, Vec& out) const {
    for (std::size_t g = 0; g < out.size(); ++g) out[g] = -gradient[g];
    Vec along(pairs_.size());
    for (std::size_t p = pairs_.size(); p-- > 0;) {
      along[p] = dot(bound, pairs_[p].s, out) / pairs_[p].sy;
      add(bound, -along[p], pairs_[p].y, out);
    }
    bound.divide_by_curvature(out);
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      add(bound, along[p] - dot(bound, pairs_[p].y, out) / pairs_[p].sy, pairs_[p].s, out);
    }
    double longest = 0;
    for (const double d : out) longest = std::max(longest, std::abs(d));
    if (longest > kLongestStep) {
      for (double& d : out) d *= kLongestStep / longest;
    }
  }

  /// The bound is not concave everywhere. A step with negative curvature is not stored.
  void learn(const JointBound& bound, Vec s, Vec y) {
    const double sy = dot(bound, s, y);
    if (!(sy > 1e-12 * std::sqrt(dot(bound, s, s) * dot(bound, y, y)))) return;
    if (pairs_.size() == kHistory) pairs_.erase(pairs_.begin());
    pairs_.push_back({std::move(s), std::move(y), sy});
  }

  static double dot(const JointBound& bound, const Vec& a, const Vec& b) {
    return bound.sum_features([&](std::size_t g) { return a[g] * b[g]; });
  }

 private:
  struct Pair {
    Vec s, y;
    double sy;
  };

  static void add(const JointBound& bound, double scale, const Vec& a, Vec& out) {
    bound.for_features([&](std::size_t g) { out[g] += scale * a[g]; });
  }

  std::vector<Pair> pairs_;
};

Vec difference(const Vec& a, const Vec& b) {
  Vec result(a.size());
  for (std::size_t g = 0; g < a.size(); ++g) result[g] = a[g] - b[g];
  return result;
}

// Finds a point along `direction` that lowers the loss enough; false if there is none.
bool search(JointBound& bound, const Vec& point, const Vec& gradient, const Vec& direction,
            double& loss, Vec& next) {
  const double most = logit(1 - kProbabilityMargin);
  double length = 1;
  for (int halving = 0; halving < kMostHalvings; ++halving, length /= 2) {
    for (std::size_t g = 0; g < next.size(); ++g) {
      next[g] = std::clamp(point[g] + length * direction[g], -most, most);
    }
    const double slope = bound.sum_features(
        [&](std::size_t g) { return gradient[g] * (next[g] - point[g]); });
    const double value = bound.loss(next);
    if (slope < 0 && value < loss && value <= loss + 1e-4 * slope) {
      loss = value;
      return true;
    }
  }
  return false;
}

}  // namespace

double maximise_presence_jointly(const Dataset& data, const PresenceStep& step,
                                 std::vector<double>& presence, const Execution& exec) {
  JointBound bound(data, step, presence, exec);
  if (bound.trials() <= 0) return 0;  // no rows and a flat prior
  Vec point = bound.start(), next = point;
  Vec gradient(point.size()), next_gradient(point.size()), direction(point.size());
  double loss = bound.loss(point);
  if (!std::isfinite(loss)) throw NumericError("a presence ratio is not finite");
  const double start = loss;
  bound.gradient(point, gradient);
  Memory memory;
  for (int i = 0; i < kIterationsPerSweep * step.sweeps; ++i) {
    exec.throw_if_stopped();
    const double before = loss;
    memory.direction(bound, gradient, direction);
    if (!search(bound, point, gradient, direction, loss, next)) break;
    bound.gradient(next, next_gradient);
    memory.learn(bound, difference(next, point), difference(next_gradient, gradient));
    point.swap(next);
    gradient.swap(next_gradient);
    if (before - loss <= kNotWorthIt * (start - loss)) break;
  }
  for (std::size_t g = 0; g < point.size(); ++g) {
    presence[step.columns.feature(g)] =
        std::clamp(sigmoid(point[g]), kProbabilityMargin, 1 - kProbabilityMargin);
  }
  return start - loss;
}

}  // namespace megadapt
