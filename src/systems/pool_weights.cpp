#include "systems/pool_weights.hpp"

#include <algorithm>
#include <cmath>

namespace megadapt {
namespace {

constexpr double kVariance = 0.05;  // of w around 1/M
constexpr int kMostSteps = 50;
constexpr double kSmallestDecrease = 1e-12;  // relative; estimated by the Newton step
constexpr double kArmijo = 1e-4;

using Vector = std::vector<double>;

/// The objective, its gradient [M] and its Hessian [M][M] at a point.
struct Expansion {
  double value = 0;
  Vector gradient, hessian;
};

/// p(y | x) of one row under the pool, and what follows from it.
class PooledRow {
 public:
  PooledRow(const UnseenScores& scores, const Vector& weight, std::size_t row)
      : scores_(scores), first_(row * scores.num_labels), p_(scores.num_labels) {
    for (std::size_t m = 0; m < weight.size(); ++m) {
      for (std::size_t y = 0; y < p_.size(); ++y) p_[y] += weight[m] * score(m, y);
    }
    const double largest = *std::max_element(p_.begin(), p_.end());
    double sum = 0;
    for (const double s : p_) sum += std::exp(s - largest);
    log_z_ = largest + std::log(sum);
    own_ = p_[scores.label[row]];
    for (double& s : p_) s = std::exp(s - log_z_);
  }

  double score(std::size_t model, std::size_t y) const {
    return scores_.score[model][first_ + y];
  }
  double loss() const { return log_z_ - own_; }
  /// The mean of a model's scores under p.
  double mean(std::size_t model) const {
    double sum = 0;
    for (std::size_t y = 0; y < p_.size(); ++y) sum += p_[y] * score(model, y);
    return sum;
  }
  /// The mean of the product of two models' scores.
  double mean_product(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t y = 0; y < p_.size(); ++y) sum += p_[y] * score(a, y) * score(b, y);
    return sum;
  }

 private:
  const UnseenScores& scores_;
  std::size_t first_;
  Vector p_;  // [Y]
  double log_z_ = 0, own_ = 0;
};

double penalty(const Vector& weight) {
  const double centre = 1 / static_cast<double>(weight.size());
  double sum = 0;
  for (const double w : weight) sum += (w - centre) * (w - centre);
  return sum / (2 * kVariance);
}

double objective(const UnseenScores& scores, const Vector& weight, Communicator& ranks) {
  double sum = 0;
  for (std::size_t n = 0; n < scores.label.size(); ++n) {
    sum += scores.weight[n] * PooledRow(scores, weight, n).loss();
  }
  ranks.sum({&sum, 1});
  return sum + penalty(weight);
}

// The Hessian of a row's loss is the covariance of the models' scores under p.
Expansion expand(const UnseenScores& scores, const Vector& weight, Communicator& ranks) {
  const std::size_t M = weight.size();
  Vector sums(1 + M + M * M);
  for (std::size_t n = 0; n < scores.label.size(); ++n) {
    const PooledRow row(scores, weight, n);
    const double v = scores.weight[n];
    sums[0] += v * row.loss();
    Vector mean(M);
    for (std::size_t a = 0; a < M; ++a) {
      mean[a] = row.mean(a);
      sums[1 + a] += v * (mean[a] - row.score(a, scores.label[n]));
      for (std::size_t b = 0; b <= a; ++b) {
        sums[1 + M + a * M + b] += v * (row.mean_product(a, b) - mean[a] * mean[b]);
      }
    }
  }
  ranks.sum(sums);
  Expansion at{sums[0] + penalty(weight), Vector(M), Vector(M * M)};
  for (std::size_t a = 0; a < M; ++a) {
    at.gradient[a] = sums[1 + a] + (weight[a] - 1 / static_cast<double>(M)) / kVariance;
    for (std::size_t b = 0; b <= a; ++b) {
      at.hessian[a * M + b] = sums[1 + M + a * M + b] + (a == b ? 1 / kVariance : 0);
    }
  }
  return at;
}

// Returns H^-1 g. H is positive definite, given by its lower half; L L' = H.
Vector newton_step(const Expansion& at) {
  const std::size_t M = at.gradient.size();
  Vector lower = at.hessian, step = at.gradient;
  for (std::size_t a = 0; a < M; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double rest = lower[a * M + b];
      for (std::size_t k = 0; k < b; ++k) rest -= lower[a * M + k] * lower[b * M + k];
      lower[a * M + b] = a == b ? std::sqrt(rest) : rest / lower[b * M + b];
    }
  }
  for (std::size_t a = 0; a < M; ++a) {
    for (std::size_t k = 0; k < a; ++k) step[a] -= lower[a * M + k] * step[k];
    step[a] /= lower[a * M + a];
  }
  for (std::size_t a = M; a-- > 0;) {
    for (std::size_t k = a + 1; k < M; ++k) step[a] -= lower[k * M + a] * step[k];
    step[a] /= lower[a * M + a];
  }
  return step;
}

Vector moved(const Vector& weight, const Vector& step, double length) {
  Vector next = weight;
  for (std::size_t m = 0; m < next.size(); ++m) next[m] -= length * step[m];
  return next;
}

}  // namespace

std::vector<double> pool_weights(const UnseenScores& scores, Communicator& ranks) {
  const std::size_t M = scores.score.size();
  Vector weight(M, 1 / static_cast<double>(M));
  for (int i = 0; i < kMostSteps; ++i) {
    const Expansion at = expand(scores, weight, ranks);
    const Vector step = newton_step(at);
    double decrease = 0;
    for (std::size_t m = 0; m < M; ++m) decrease += at.gradient[m] * step[m];
    if (decrease <= kSmallestDecrease * (1 + std::abs(at.value))) break;
    double length = 1;
    while (length > 1e-10 && objective(scores, moved(weight, step, length), ranks) >
                                 at.value - kArmijo * length * decrease) {
      length /= 2;
    }
    weight = moved(weight, step, length);
  }
  return weight;
}

std::vector<double> pooled(const std::vector<std::vector<double>>& lambda,
                           const std::vector<double>& weight) {
  std::vector<double> sum(lambda[0].size());
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight[m] * lambda[m][i];
  }
  return sum;
}

}  // namespace megadapt
