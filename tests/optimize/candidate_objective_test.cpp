#include "optimize/candidate_objective.hpp"

#include <gmock/gmock.h>

#include "base/random.hpp"

namespace megadapt {
namespace {

constexpr std::uint32_t kFeatures = 6;

// Examples with two to four candidates.
Candidates random_candidates(std::uint64_t seed) {
  Random random(seed);
  Candidates data;
  RowBuilder rows(data.rows);
  for (int n = 0; n < 30; ++n) {
    const std::uint32_t count = 2 + random.below(3);
    for (std::uint32_t c = 0; c < count; ++c) {
      for (std::uint32_t f = 0; f < kFeatures; ++f) {
        if (random.uniform() < 0.5)
          rows.add(f, static_cast<float>(random.uniform() * 2 - 1));
      }
      rows.end();
    }
    data.chosen.push_back(data.begin.back() + random.below(count));
    data.begin.push_back(data.rows.size());
    data.weight.push_back(0.5 + random.uniform());
  }
  return data;
}

TEST(CandidateObjectiveLaws, TheGradientIsThatOfTheValue) {
  const Candidates data = random_candidates(1);
  const std::vector<double> mean(kFeatures, 0.3);
  const Execution exec(1);
  CandidateObjective objective(data, kFeatures, 0.8, mean, exec);
  Random random(2);
  std::vector<double> point(kFeatures), gradient(kFeatures);
  for (double& w : point) w = random.uniform() * 4 - 2;
  objective.value(point);
  objective.gradient(point, gradient);
  constexpr double kStep = 1e-5;
  for (std::uint32_t f = 0; f < kFeatures; ++f) {
    auto above = point, below = point;
    above[f] += kStep;
    below[f] -= kStep;
    EXPECT_NEAR(gradient[f], (objective.value(above) - objective.value(below)) / 2 / kStep,
                1e-6);
  }
}

TEST(CandidateObjectiveLaws, TheFitIsTheSameForAnyNumberOfThreads) {
  const Candidates data = random_candidates(3);
  const Execution one(1), many(8);
  const CandidateOptions options{.precision = 0.5, .tolerance = 1e-10};
  const MaxentFit fit = fit_candidates(data, kFeatures, options, one);
  EXPECT_EQ(fit.weights, fit_candidates(data, kFeatures, options, many).weights);
  EXPECT_TRUE(fit.converged);
}

TEST(CandidateObjectiveLaws, TheFitHasNoGradient) {
  const Candidates data = random_candidates(4);
  const Execution exec(1);
  const MaxentFit fit =
      fit_candidates(data, kFeatures, {.precision = 0.5, .tolerance = 1e-12}, exec);
  CandidateObjective objective(data, kFeatures, 0.5, {}, exec);
  std::vector<double> gradient(kFeatures);
  EXPECT_NEAR(objective.value(fit.weights), fit.objective, 1e-9);
  objective.gradient(fit.weights, gradient);
  for (const double g : gradient) EXPECT_NEAR(g, 0, 1e-4);
}

}  // namespace
}  // namespace megadapt
