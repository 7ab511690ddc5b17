#include "evaluation/scores/calibration.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "models/predictors.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kRows = 4000;
constexpr std::uint32_t kLabels = 3;

/// Rows whose labels are drawn from known probabilities. The predictions are these
/// probabilities with a temperature.
struct Planted {
  explicit Planted(double temperature, std::size_t rows = kRows) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> score(0, 2);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::size_t n = 0; n < rows; ++n) {
      std::vector<double> p(kLabels);
      for (double& one : p) one = std::exp(score(random));
      apply_temperature(1, p);
      const double u = uniform(random);
      held_out.label.push_back(u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2);
      apply_temperature(temperature, p);
      probability.insert(probability.end(), p.begin(), p.end());
      held_out.weight.push_back(1);
      held_out.fold.push_back(static_cast<std::uint32_t>(n % 5));
      held_out.unit.push_back(static_cast<std::uint32_t>(n));
    }
    held_out.probability = probability;
    held_out.num_labels = kLabels;
  }

  std::vector<double> probability;
  HeldOutRows held_out;
};

TEST(Calibration, FindsThePlantedTemperature) {
  for (const double planted : {0.4, 2.5}) {
    const Planted rows(planted);
    const Calibration found = calibrate(rows.held_out);
    EXPECT_NEAR(found.temperature * planted, 1, 0.06);
    EXPECT_TRUE(found.kept);
    EXPECT_LT(found.after, found.before);
  }
}

TEST(Calibration, TheFittedTemperatureHasTheLeastLogLoss) {
  const Planted rows(2, 300);
  const std::vector<bool> all(300, true);
  const double best = fitted_temperature(rows.held_out, all);
  const auto loss = [&](double temperature) {
    double sum = 0;
    for (std::size_t n = 0; n < 300; ++n) {
      std::vector<double> p(
          rows.probability.begin() + static_cast<std::ptrdiff_t>(n * kLabels),
          rows.probability.begin() + static_cast<std::ptrdiff_t>((n + 1) * kLabels));
      apply_temperature(temperature, p);
      sum -= std::log(p[rows.held_out.label[n]]);
    }
    return sum;
  };
  EXPECT_LT(loss(best), loss(best * 1.01));
  EXPECT_LT(loss(best), loss(best / 1.01));
}

TEST(Calibration, IsNotKeptWhereItGainsNothing) {
  EXPECT_FALSE(calibrate(Planted(1, 200).held_out).kept);
}

// All predictions are right, so the best temperature is 0; the bound stops it.
TEST(Calibration, PerfectPredictionsStayFinite) {
  Planted rows(1, 50);
  for (std::size_t n = 0; n < 50; ++n) {
    const auto p = std::span(rows.probability).subspan(n * kLabels, kLabels);
    rows.held_out.label[n] = most_probable(p);
  }
  const Calibration found = calibrate(rows.held_out);
  EXPECT_GE(found.temperature, 0.06);
  EXPECT_TRUE(std::isfinite(found.after));
}

}  // namespace
}  // namespace megadapt
