#include "cli/text/progress_bar.hpp"

#include <gtest/gtest.h>

namespace megadapt::cli {
namespace {

TEST(ProgressLine, ShowsStageBarAndTimeLeft) {
  EXPECT_EQ(progress_line({.stage = "training", .fraction = 0.5}, 30),
            "training             [###############               ]  50%  30 s left");
}

TEST(ProgressLine, IsAlsoText) {
  EXPECT_EQ(progress_text({.stage = "training", .fraction = 0.5}, 30),
            "training: 50%, 30 s left");
  EXPECT_EQ(progress_text({.stage = "reading", .fraction = 0}, 3), "reading: 0%");
}

TEST(ProgressLine, PromisesNothingTooEarlyOrAtTheEnd) {
  EXPECT_EQ(progress_line({.stage = "reading", .fraction = 0}, 3),
            "reading              [                              ]   0%");
  EXPECT_EQ(progress_line({.stage = "reading", .fraction = 1}, 3),
            "reading              [##############################] 100%");
}

TEST(ProgressLine, FitsALineWhateverItIsGiven) {
  EXPECT_LE(progress_line({.stage = std::string(200, 'x'), .fraction = 0.02}, 1e6).size(),
            79u);
  EXPECT_EQ(progress_line({.stage = "x", .fraction = 7}, 1),
            progress_line({.stage = "x", .fraction = 1}, 1));
}

TEST(ProgressLine, SpeaksOfMinutesAndHours) {
  EXPECT_TRUE(
      progress_line({.stage = "x", .fraction = 0.5}, 90).ends_with("1 min 30 s left"));
  EXPECT_TRUE(
      progress_line({.stage = "x", .fraction = 0.5}, 7260).ends_with("2 h 01 min left"));
}

}  // namespace
}  // namespace megadapt::cli
