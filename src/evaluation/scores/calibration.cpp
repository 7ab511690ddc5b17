#include "evaluation/scores/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace megadapt {
namespace {

constexpr double kHottest = 16;
constexpr double kLeastProbability = 1e-300;
constexpr double kPrecision = 1e-6;  // of log b
constexpr int kMostSteps = 60;
constexpr std::size_t kFewestUnits = 10;  // fewer say nothing about the standard error

double log_of(double p) { return std::log(std::max(p, kLeastProbability)); }

/// log sum_y exp(b s_y), the mean of s under that distribution, and its variance.
struct Moments {
  double log_total = 0;
  double mean = 0;
  double variance = 0;
};

Moments moments(std::span<const double> probability, double b) {
  double largest = -INFINITY;
  for (const double p : probability) largest = std::max(largest, b * log_of(p));
  double total = 0, first = 0, second = 0;
  for (const double p : probability) {
    const double s = log_of(p);
    const double e = std::exp(b * s - largest);
    total += e;
    first += e * s;
    second += e * s * s;
  }
  const double mean = first / total;
  return {largest + std::log(total), mean, second / total - mean * mean};
}

std::span<const double> row_of(const HeldOutRows& rows, std::size_t n) {
  return rows.probability.subspan(n * rows.num_labels, rows.num_labels);
}

double log_loss(const HeldOutRows& rows, std::size_t n, double b) {
  const auto p = row_of(rows, n);
  return moments(p, b).log_total - b * log_of(p[rows.label[n]]);
}

/// First and second derivative of the loss by b.
struct Slope {
  double first = 0;
  double second = 0;
};

Slope slope(const HeldOutRows& rows, const std::vector<bool>& use, double b) {
  Slope sum;
  for (std::size_t n = 0; n < rows.label.size(); ++n) {
    if (!use[n]) continue;
    const auto p = row_of(rows, n);
    const Moments at = moments(p, b);
    sum.first += rows.weight[n] * (at.mean - log_of(p[rows.label[n]]));
    sum.second += rows.weight[n] * at.variance;
  }
  return sum;
}

double rounded(double temperature) {
  const double scale = std::pow(10, 3 - std::ceil(std::log10(temperature)));
  return std::round(temperature * scale) / scale;
}

}  // namespace

// Newton's method, with bisection where a step would leave the bracket.
double fitted_temperature(const HeldOutRows& rows, const std::vector<bool>& use) {
  double low = 1 / kHottest, high = kHottest, b = 1;
  for (int step = 0; step < kMostSteps; ++step) {
    const Slope at = slope(rows, use, b);
    if (at.first == 0) break;
    (at.first > 0 ? high : low) = b;
    double next = at.second > 0 ? b - at.first / at.second : low;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    const bool done = std::abs(std::log(next / b)) < kPrecision;
    b = next;
    if (done) break;
  }
  return 1 / b;
}

Calibration calibrate(const HeldOutRows& rows) {
  const std::size_t N = rows.label.size();
  Calibration result;
  result.temperature = rounded(fitted_temperature(rows, std::vector<bool>(N, true)));
  std::map<std::uint32_t, double> beta;  // of each fold, from the rows of the others
  for (const std::uint32_t fold : rows.fold) beta[fold] = 1;
  for (auto& [fold, b] : beta) {
    std::vector<bool> others(N);
    for (std::size_t n = 0; n < N; ++n) others[n] = rows.fold[n] != fold;
    b = 1 / fitted_temperature(rows, others);
  }
  std::map<std::uint32_t, double> gain;  // of each unit
  double total = 0;
  for (std::size_t n = 0; n < N; ++n) {
    const double before = rows.weight[n] * log_loss(rows, n, 1);
    const double after = rows.weight[n] * log_loss(rows, n, beta[rows.fold[n]]);
    result.before += before;
    result.after += after;
    gain[rows.unit[n]] += before - after;
    total += rows.weight[n];
  }
  const double mean = (result.before - result.after) / static_cast<double>(gain.size());
  double squares = 0;
  for (const auto& [unit, g] : gain) squares += (g - mean) * (g - mean);
  const auto units = static_cast<double>(gain.size());
  const double error = std::sqrt(squares / (units - 1) / units);
  result.kept = gain.size() >= kFewestUnits && mean > error;
  result.before /= total;
  result.after /= total;
  return result;
}

}  // namespace megadapt
