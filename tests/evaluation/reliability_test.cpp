#include <gmock/gmock.h>

#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

TEST(Reliability, NothingIsPerfectlyCalibrated) {
  const Reliability result = ReliabilityCounter().result();
  EXPECT_THAT(result.bins, testing::IsEmpty());
  EXPECT_EQ(result.calibration_error, 0);
}

TEST(Reliability, TheErrorIsTheMeanGapOfConfidenceAndAccuracy) {
  ReliabilityCounter counter;
  counter.add(0.62, true);
  counter.add(0.68, false);
  counter.add(1, true);
  counter.add(0.95, false);
  const Reliability result = counter.result();
  ASSERT_THAT(result.bins, testing::SizeIs(2));
  EXPECT_DOUBLE_EQ(result.bins[0].from, 0.6);
  EXPECT_EQ(result.bins[0].count, 2u);
  EXPECT_DOUBLE_EQ(result.bins[0].confidence, 0.65);
  EXPECT_DOUBLE_EQ(result.bins[0].accuracy, 0.5);
  EXPECT_DOUBLE_EQ(result.bins[1].to, 1);  // 1 belongs to the last bin
  EXPECT_NEAR(result.calibration_error, (2 * 0.15 + 2 * 0.475) / 4, 1e-12);
}

}  // namespace
}  // namespace megadapt
