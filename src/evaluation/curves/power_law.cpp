#include "evaluation/curves/power_law.hpp"

#include <algorithm>
#include <numbers>

#include "base/random.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kFewestPoints = 3;
constexpr int kDraws = 1000;
constexpr double kRateStep = 0.05;
constexpr double kLargestRate = 2;
// A curve is trusted up to this many times the number of labels that it was fitted to.
constexpr double kFarthest = 10;

// The best limit and drop for a given rate: a line in n^-rate, with drop >= 0, limit <= 1.
PowerLaw line_for(const std::vector<double>& n, const std::vector<double>& accuracy,
                  double rate) {
  const auto N = static_cast<double>(n.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double z = std::pow(n[i], -rate);
    x += z;
    y += accuracy[i];
    xx += z * z;
    xy += z * accuracy[i];
  }
  const double spread = xx - x * x / N;
  PowerLaw law{y / N, 0, rate};
  if (spread > 0) law.drop = std::max(0.0, (x * y / N - xy) / spread);
  law.limit = (y + law.drop * x) / N;
  if (law.limit > 1) law = {1, std::max(0.0, (x - xy) / xx), rate};
  return law;
}

double squared_error(const PowerLaw& law, const std::vector<double>& n,
                     const std::vector<double>& accuracy) {
  double sum = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    sum += (law(n[i]) - accuracy[i]) * (law(n[i]) - accuracy[i]);
  }
  return sum;
}

double normal(Random& random) {  // Box and Muller
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

/// The accuracies of a curve, and draws of them within their standard errors.
class Accuracies {
 public:
  Accuracies(const SystemCurve& curve, int repeats) {
    std::vector<double> deviation;
    for (const CurvePoint& point : curve.points) {
      n_.push_back(std::max(1.0, point.examples));
      mean_.push_back(point.accuracy.mean);
      deviation.push_back((point.accuracy.high - point.accuracy.low) / 2);
    }
    // With all rows and the same test rows, every repeat gives the same result. A deviation
    // of 0 would be too small, so use at least the median deviation.
    std::vector<double> sorted = deviation;
    std::ranges::sort(sorted);
    const double least = sorted.empty() ? 0 : sorted[sorted.size() / 2];
    for (const double own : deviation) {
      error_.push_back(std::max(own, least) / std::sqrt(std::max(1, repeats)));
    }
  }
  const std::vector<double>& n() const { return n_; }
  const std::vector<double>& mean() const { return mean_; }
  std::vector<double> draw(Random& random) const {
    std::vector<double> drawn = mean_;
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] += error_[i] * normal(random);
    return drawn;
  }

 private:
  std::vector<double> n_, mean_, error_;
};

std::array<double, 2> middle_95(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t tail = values.size() / 40;
  return {values[tail], values[values.size() - tail - 1]};
}

}  // namespace

double PowerLaw::labels_for(double accuracy, double most) const {
  if (accuracy >= limit) return most;
  return std::min(most, std::pow(drop / (limit - accuracy), 1 / rate));
}

PowerLaw fit_power_law(const std::vector<double>& n, const std::vector<double>& accuracy) {
  PowerLaw best;
  double least = INFINITY;
  for (int step = 1; step * kRateStep <= kLargestRate; ++step) {
    const PowerLaw law = line_for(n, accuracy, step * kRateStep);
    const double error = squared_error(law, n, accuracy);
    if (error >= least) continue;
    least = error;
    best = law;
  }
  return best;
}

std::optional<ExpectedGain> expected_gain(const SystemCurve& curve, int repeats,
                                          double from, double labels, std::uint64_t seed) {
  if (curve.points.size() < kFewestPoints) return std::nullopt;
  const Accuracies points(curve, repeats);
  const auto gain = [&](const std::vector<double>& accuracy) {
    const PowerLaw law = fit_power_law(points.n(), accuracy);
    return law(std::max(1.0, from) + labels) - law(std::max(1.0, from));
  };
  Random random(seed);
  std::vector<double> drawn;
  for (int i = 0; i < kDraws; ++i) drawn.push_back(gain(points.draw(random)));
  return ExpectedGain{curve.name, labels, gain(points.mean()), middle_95(std::move(drawn))};
}

std::optional<SourceWorth> source_worth(const SystemCurve& best, const SystemCurve& alone,
                                        int repeats, std::uint64_t seed) {
  if (best.points.size() < kFewestPoints || alone.points.size() < kFewestPoints) {
    return std::nullopt;
  }
  const Accuracies of_best(best, repeats), of_alone(alone, repeats);
  const double have = of_best.n().back();
  const double most = kFarthest * have;
  const auto worth = [&](double accuracy, const std::vector<double>& own) {
    if (accuracy <= own.back()) return 0.0;
    const PowerLaw law = fit_power_law(of_alone.n(), own);
    return std::max(0.0, law.labels_for(accuracy, most) - have);
  };
  SourceWorth result;
  result.labels = worth(of_best.mean().back(), of_alone.mean());
  result.more_than = result.labels >= most - have;
  Random random(seed);
  std::vector<double> drawn;
  for (int i = 0; i < kDraws; ++i) {
    const double accuracy = of_best.draw(random).back();
    drawn.push_back(worth(accuracy, of_alone.draw(random)));
  }
  result.interval = middle_95(std::move(drawn));
  return result;
}

}  // namespace megadapt
