#include "evaluation/scores/bootstrap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "base/random.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

constexpr double kAccuracy = 0.8;

// Returns how often, in 400 experiments, the interval contains the true accuracy. In each
// experiment the `size` examples of each of `groups` groups are all right or all wrong.
double coverage(std::size_t groups, std::uint32_t size) {
  Random random(11);
  const int experiments = 400;
  int covered = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    std::vector<ResampledUnit> units(groups);
    for (ResampledUnit& unit : units) {
      unit = {.examples = size, .correct = random.uniform() < kAccuracy ? size : 0};
    }
    const auto [low, high] = bootstrap_interval(units, random.next());
    covered += low <= kAccuracy && kAccuracy <= high;
  }
  return covered / static_cast<double>(experiments);
}

// 400 experiments estimate 95% with a standard error of 1.1%, and the percentile bootstrap
// of 300 units is itself a little too narrow. The tolerance is four standard errors.
TEST(Bootstrap, CoversTheTruthOverExamples) { EXPECT_NEAR(coverage(300, 1), 0.95, 0.045); }

TEST(Bootstrap, CoversTheTruthOverGroups) { EXPECT_NEAR(coverage(300, 5), 0.95, 0.045); }

TEST(Bootstrap, GroupsThatStandTogetherWidenTheInterval) {
  Evaluator alone({"a", "b"});
  Evaluator together({"a", "b"});
  for (int i = 0; i < 1000; ++i) {
    const bool right = i / 20 % 4 != 0;  // 50 groups of 20, a quarter of them wrong
    const std::array probability{right ? 0.9 : 0.1, right ? 0.1 : 0.9};
    alone.add("a", probability);
    together.add("a", probability, std::to_string(i / 20));
  }
  const Evaluation by_example = alone.result(1);
  const Evaluation by_group = together.result(1);
  EXPECT_DOUBLE_EQ(by_example.accuracy, by_group.accuracy);
  const double narrow = by_example.interval[1] - by_example.interval[0];
  const double wide = by_group.interval[1] - by_group.interval[0];
  // The standard error over 50 groups is sqrt(20) times that over 1000 examples.
  EXPECT_NEAR(wide / narrow, std::sqrt(20.0), 0.15 * std::sqrt(20.0));
}

TEST(Bootstrap, RowsWithoutAGroupAreResampledAlone) {
  Evaluator none({"a", "b"});
  Evaluator own({"a", "b"});
  for (int i = 0; i < 100; ++i) {
    const std::array probability{i % 3 ? 0.9 : 0.1, i % 3 ? 0.1 : 0.9};
    none.add("a", probability);
    own.add("a", probability, std::to_string(i));
  }
  EXPECT_EQ(none.result(5).interval, own.result(5).interval);
}

TEST(Bootstrap, ASeedGivesTheSameIntervalAndAPerfectScoreOne) {
  const std::vector<ResampledUnit> mixed(100, {.examples = 2, .correct = 1});
  EXPECT_EQ(bootstrap_interval(mixed, 3), bootstrap_interval(mixed, 3));
  const std::vector<ResampledUnit> perfect(10, {.examples = 1, .correct = 1});
  EXPECT_EQ(bootstrap_interval(perfect, 3), (std::array{1.0, 1.0}));
}

}  // namespace
}  // namespace megadapt
