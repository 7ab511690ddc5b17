#include <gmock/gmock.h>

#include <cmath>

#include "base/random.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

// n = 10, fewer = 2: 2 (1 + 10 + 45) / 1024.
TEST(Significance, McNemarIsTheBinomialForFewDiscordantPairs) {
  const McNemar test = mcnemar(8, 2);
  EXPECT_TRUE(test.exact);
  EXPECT_NEAR(test.p, 112.0 / 1024, 1e-15);
  EXPECT_EQ(mcnemar(2, 8).p, test.p);
  EXPECT_EQ(mcnemar(0, 0).p, 1);
  EXPECT_EQ(mcnemar(3, 3).p, 1);
  EXPECT_NEAR(mcnemar(0, 25).p, std::ldexp(1.0, -24), 1e-20);
}

// Agresti, Categorical Data Analysis, 10.1.1: approval ratings with 150 and 86 discordant.
// With the correction: (64 - 1)^2 / 236 = 16.8178, p = 4.11e-5.
TEST(Significance, McNemarIsTheCorrectedChiSquareForMany) {
  const McNemar test = mcnemar(150, 86);
  EXPECT_FALSE(test.exact);
  EXPECT_NEAR(test.p, 4.115e-5, 1e-8);
  // (|59 - 6| - 1)^2 / 65 = 41.6, far in the tail.
  EXPECT_NEAR(mcnemar(59, 6).p, 1.12e-10, 1e-12);
  EXPECT_EQ(mcnemar(20, 20).p, 1);
}

TEST(Significance, BothWaysAgreeWhereTheyMeet) {
  for (std::size_t a = 5; a <= 12; ++a) {
    const double exact = mcnemar(a, 25 - a).p;
    const double chi_square = mcnemar(a, 26 - a).p;
    EXPECT_NEAR(exact, chi_square, 0.16) << a;  // one row apart
  }
}

TEST(Significance, McNemarCountsRowsThatOnlyOneHasRight) {
  const std::vector<std::uint8_t> a{1, 1, 1, 0, 0, 1};
  const std::vector<std::uint8_t> b{1, 0, 0, 1, 0, 0};
  const McNemar test = mcnemar(a, b);
  EXPECT_EQ(test.only_a, 3u);
  EXPECT_EQ(test.only_b, 1u);
}

// Holm (1979) with the p-values 0.01, 0.04, 0.03, 0.005, as R's p.adjust gives them.
TEST(Significance, HolmStepsDown) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  EXPECT_THAT(holm(p), Pointwise(DoubleNear(1e-12), {0.03, 0.06, 0.06, 0.02}));
  EXPECT_THAT(holm(std::vector<double>{0.7, 0.6}),
              Pointwise(DoubleNear(1e-12), {1.0, 1.0}));
  EXPECT_TRUE(holm({}).empty());
}

TEST(Significance, ErrorReductionIsAShareOfTheOthersError) {
  EXPECT_NEAR(error_reduction(0.9, 0.8), 0.5, 1e-12);
  EXPECT_NEAR(error_reduction(0.8, 0.9), -1, 1e-12);
  EXPECT_EQ(error_reduction(1, 1), 0);
}

// Two simulated systems: only the first is right in 8% of the rows, only the second in 2%.
// About 95% of the intervals should contain the true difference, 0.06. For 200 intervals,
// three standard deviations of the count are 9.
TEST(Significance, PairedIntervalsCoverTheTrueDifference) {
  Random random(5);
  int covered = 0;
  for (std::uint64_t set = 0; set < 200; ++set) {
    std::vector<double> a, b;
    for (int n = 0; n < 300; ++n) {
      const double u = random.uniform();
      const bool both = random.uniform() < 0.7;
      a.push_back(u < 0.08 || (u >= 0.10 && both));
      b.push_back((u >= 0.08 && u < 0.10) || (u >= 0.10 && both));
    }
    const auto [low, high] = paired_interval(a, b, {}, set);
    covered += low <= 0.06 && 0.06 <= high;
  }
  EXPECT_NEAR(covered, 190, 10);
}

// Rows of a group are alike, so resampling them one by one would give too narrow an
// interval.
TEST(Significance, GroupsAreResampledAsOne) {
  std::vector<double> a, b;
  std::vector<std::uint32_t> group;
  Random random(2);
  for (std::uint32_t g = 0; g < 20; ++g) {
    const double value = random.uniform() < 0.5;
    for (int i = 0; i < 10; ++i) {
      a.push_back(value);
      b.push_back(0.5);
      group.push_back(g);
    }
  }
  const auto alone = paired_interval(a, b, {}, 1);
  const auto together = paired_interval(a, b, group, 1);
  EXPECT_GT(together[1] - together[0], 2 * (alone[1] - alone[0]));
  const std::vector<std::uint32_t> none(a.size(), kNone);
  EXPECT_EQ(paired_interval(a, b, none, 1), alone);
}

TEST(Significance, IntervalsDependOnTheSeedAlone) {
  const std::vector<double> a{1, 0, 1, 1, 0}, b{0, 0, 1, 0, 1};
  EXPECT_EQ(paired_interval(a, b, {}, 7), paired_interval(a, b, {}, 7));
  EXPECT_EQ(paired_interval({}, {}, {}, 7), (std::array<double, 2>{0, 0}));
}

}  // namespace
}  // namespace megadapt
