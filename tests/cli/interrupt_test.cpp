#include <signal.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Interrupt : public Cli {};

// Many rows with random labels, so that a tight tolerance takes seconds.
std::string hard_rows() {
  std::string text;
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int row = 0; row < 100000; ++row) {
    text += static_cast<char>('a' + draw(20));
    for (int i = 0; i < 10; ++i) text += " f" + std::to_string(draw(20000));
    text += '\n';
  }
  return text;
}

TEST_F(Interrupt, DuringTrainingKeepsTheOldFileAndLeavesNoOther) {
  write("rows.txt", hard_rows());
  write("m.mega", "old");
  RunningCommand training(
      command({"train", "-v", "--system", "mix", "-d", "d=rows.txt", "-o", "m.mega",
               "--variance", "1e6", "--tolerance", "1e-12", "--max-passes", "1000000"}),
      folder());
  EXPECT_THAT(training.read_error_line(), StartsWith("training on 100000 examples"));
  training.send_signal(SIGINT);
  const CommandResult result = training.finish();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "error: interrupted\n");
  EXPECT_EQ(read("m.mega"), "old");
  EXPECT_EQ(files(), (std::vector<std::string>{"m.mega", "rows.txt"}));
}

// The first system has few rows and finishes at once; the second takes long.
TEST_F(Interrupt, AComparisonKeepsWhatIsFinished) {
  write("rows.txt", hard_rows());
  write("few.txt", "a f1 f2\nb f3\n");
  RunningCommand comparing(
      command({"compare",     "-v",          "--systems",    "onlyi,mix",
               "-d",          "in=few.txt",  "-d",           "out=rows.txt",
               "-t",          "in",          "--test",       "few.txt",
               "--no-tuning", "--tolerance", "1e-12",        "--max-passes",
               "1000000",     "--set",       "variance=1e6", "--threads",
               "1",           "--resume",    "kept"}),
      folder());
  EXPECT_THAT(comparing.read_error_line(), StartsWith("warning: only 'out' has rows"));
  EXPECT_THAT(comparing.read_error_line(), StartsWith("fix: "));
  EXPECT_THAT(comparing.read_error_line(), StartsWith("onlyi: accuracy"));
  comparing.send_signal(SIGINT);
  const CommandResult result = comparing.finish();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.out, HasSubstr("onlyi"));
  EXPECT_THAT(result.out, Not(HasSubstr("mix")));
  EXPECT_THAT(result.err, HasSubstr("run the same command again to continue"));
  std::vector<std::string> kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder() + "/kept")) {
    kept.push_back(entry.path().filename());
  }
  EXPECT_THAT(kept,
              testing::UnorderedElementsAre("comparison.json", StartsWith("1-onlyi-")));
}

TEST_F(Interrupt, WhileWaitingForInput) {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    RunningCommand training(
        command({"train", "--system", "mix", "-d", "d=-", "-o", "m.mega"}), folder());
    // This is more than a pipe can hold, so once it is written, the program is reading.
    training.write(std::string(400000, '\n'));
    training.send_signal(signal_number);
    const CommandResult result = training.finish();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.err, "error: interrupted\n");
    EXPECT_TRUE(files().empty());
  }
}

TEST_F(Interrupt, PredictionIntoAFileLeavesNone) {
  train_weather();
  RunningCommand prediction(command({"predict", "weather.mega", "-", "-o", "answers.txt"}),
                            folder());
  std::string rows;
  while (rows.size() < 400000) rows += calls();
  prediction.write(rows);
  prediction.send_signal(SIGINT);
  const CommandResult result = prediction.finish();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "error: interrupted\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt", "news.txt", "weather.mega"}));
}

}  // namespace
}  // namespace megadapt
