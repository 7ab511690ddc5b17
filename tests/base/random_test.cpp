#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace megadapt {
namespace {

// The first numbers of xoshiro256** seeded with splitmix64(1). They must not change: users
// may have written down results that depend on a seed.
TEST(Random, KeepsItsSequence) {
  Random random(1);
  EXPECT_EQ(random.next(), 0xb3f2af6d0fc710c5u);
  EXPECT_EQ(random.next(), 0x853b559647364ceau);
}

TEST(Random, BelowIsEvenlySpread) {
  Random random(2);
  std::array<int, 6> count{};
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) ++count[random.below(6)];
  // Five standard deviations of a count: 5 sqrt(60000 (1/6) (5/6)).
  for (const int c : count) EXPECT_NEAR(c, draws / 6, 460);
}

TEST(Random, BinomialHasItsMeanAndVariance) {
  Random random(3);
  for (const double p : {0.001, 0.25, 0.5, 1.0 / 3, 0.97}) {
    const int draws = 20000;
    const double trials = 500;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; ++i) {
      const auto x = static_cast<double>(random.binomial(500, p));
      sum += x;
      squares += x * x;
    }
    const double mean = sum / draws;
    const double variance = squares / draws - mean * mean;
    const double expected = trials * p * (1 - p);
    EXPECT_NEAR(mean, trials * p, 5 * std::sqrt(expected / draws)) << p;
    // The variance of a sample variance v is about 2 v^2 / n, and larger for skewed counts.
    EXPECT_NEAR(variance, expected, 8 * expected * std::sqrt(2.0 / draws)) << p;
  }
}

TEST(Random, BinomialKnowsCertainty) {
  Random random(4);
  EXPECT_EQ(random.binomial(1000, 1), 1000u);
  EXPECT_EQ(random.binomial(1000, 0), 0u);
  EXPECT_EQ(random.binomial(0, 0.5), 0u);
}

}  // namespace
}  // namespace megadapt
