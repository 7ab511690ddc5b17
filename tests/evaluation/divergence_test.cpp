#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

std::vector<double> random_counts(std::size_t size, Random& random) {
  std::vector<double> counts(size);
  for (double& count : counts) count = random.below(4) == 0 ? 0 : random.below(30);
  return counts;
}

TEST(KlDivergence, IsTheSumOfItsDefinition) {
  // V = 3 (the last feature occurs in neither);
  // p = (2.5, .5, 1.5) / 4.5, q = (.5, 1.5, 1.5) / 3.5.
  const std::vector<double> p = {2, 0, 1, 0};
  const std::vector<double> q = {0, 1, 1, 0};
  const double expected = 2.5 / 4.5 * std::log(2.5 / 4.5 / (0.5 / 3.5)) +
                          0.5 / 4.5 * std::log(0.5 / 4.5 / (1.5 / 3.5)) +
                          1.5 / 4.5 * std::log(1.5 / 4.5 / (1.5 / 3.5));
  EXPECT_NEAR(kl_divergence(p, q, 0.5), expected, 1e-14);
}

TEST(KlDivergence, IsNeverNegativeAndZeroForEquals) {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const auto p = random_counts(20, random);
    const auto q = random_counts(20, random);
    EXPECT_GE(kl_divergence(p, q, 0.1), 0);
    EXPECT_EQ(kl_divergence(p, p, 0.1), 0);
  }
}

TEST(KlDivergence, IsFiniteForDisjointAndEmptyCounts) {
  EXPECT_GT(kl_divergence(std::vector{1.0, 0.0}, std::vector{0.0, 1.0}, 0.1), 1);
  EXPECT_TRUE(std::isfinite(kl_divergence(std::vector{1.0}, std::vector{0.0}, 0.1)));
  EXPECT_EQ(kl_divergence(std::vector{0.0}, std::vector{0.0}, 0.1), 0);
}

TEST(JensenShannon, LiesBetweenZeroAndOneBitAndIsSymmetric) {
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    const auto p = random_counts(20, random);
    const auto q = random_counts(20, random);
    const double divergence = jensen_shannon(p, q);
    EXPECT_GE(divergence, 0);
    EXPECT_LE(divergence, 1);
    EXPECT_NEAR(divergence, jensen_shannon(q, p), 1e-14);
    EXPECT_NEAR(jensen_shannon(p, p), 0, 1e-14);
  }
  EXPECT_EQ(jensen_shannon(std::vector{3.0, 0.0}, std::vector{0.0, 5.0}), 1);
  EXPECT_EQ(jensen_shannon(std::vector{3.0}, std::vector{0.0}), 1);
  EXPECT_EQ(jensen_shannon(std::vector{0.0}, std::vector{0.0}), 0);
}

TEST(JensenShannon, DoesNotDependOnTheNumberOfRows) {
  EXPECT_NEAR(jensen_shannon(std::vector{1.0, 3.0}, std::vector{2.0, 1.0}),
              jensen_shannon(std::vector{10.0, 30.0}, std::vector{2.0, 1.0}), 1e-14);
}

TEST(AreaUnderCurve, CountsPairsWithTiesAsHalf) {
  EXPECT_EQ(area_under_curve(std::vector{3.0, 4.0}, std::vector{1.0, 2.0}), 1);
  EXPECT_EQ(area_under_curve(std::vector{1.0, 2.0}, std::vector{3.0, 4.0}), 0);
  EXPECT_EQ(area_under_curve(std::vector{1.0, 1.0}, std::vector{1.0}), 0.5);
  EXPECT_EQ(area_under_curve(std::vector{1.0, 3.0}, std::vector{2.0, 3.0}), 1.5 / 4);
}

}  // namespace
}  // namespace megadapt
