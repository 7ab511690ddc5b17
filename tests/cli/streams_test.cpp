// Standard streams that are closed, full or without a reader; files that must not be
// overwritten; what a killed process leaves behind.

#include <signal.h>
#include <unistd.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Streams : public Cli {
 protected:
  // Runs a line of bash in which $M is the program.
  CommandResult shell(const std::string& line) const {
    return testing_support::run_command({"bash", "-c", "M=" MEGADAPT_PROGRAM "; " + line},
                                        folder());
  }
  std::vector<std::string> temporaries() const {
    std::vector<std::string> found;
    for (const std::string& name : files()) {
      if (name.starts_with(".megadapt-")) found.push_back(name);
    }
    return found;
  }
};

// The output file must not become descriptor 2, which notes are written to.
TEST_F(Streams, ClosedErrorsDoNotMixWithTheOutput) {
  train_weather();
  const std::string expected = output_of({"predict", "-q", "weather.mega", "calls.txt"});
  EXPECT_EQ(shell("$M predict -v weather.mega calls.txt -o p.txt 2>&-").exit_code, 0);
  EXPECT_EQ(read("p.txt"), expected);
}

TEST_F(Streams, ErrorsThatCannotBePrintedKeepTheExitCode) {
  write("calls.txt", calls());
  for (const char* redirected : {"2>/dev/full", "2>&-"}) {
    const std::string end = std::string(" -s mix -o m.mega ") + redirected;
    EXPECT_EQ(shell("$M train -d d=calls.txt" + end).exit_code, 0) << redirected;
    EXPECT_EQ(run({"model", "verify", "m.mega"}).exit_code, 0);
    EXPECT_EQ(shell("$M train -d d=missing.txt" + end).exit_code, 2) << redirected;
    EXPECT_EQ(shell(std::string("$M train --no-such-option ") + redirected).exit_code, 2);
  }
  const std::string line = "$M train -d d=calls.txt -s mix -o m.mega 2>&1 >/dev/null | :";
  EXPECT_EQ(shell("set -o pipefail; " + line).exit_code, 0);
}

TEST_F(Streams, AClosedOutputOrInputIsAnError) {
  train_weather();
  const CommandResult output = shell("$M predict weather.mega calls.txt >&-");
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_THAT(output.err, StartsWith("error: standard output: cannot write"));
  const CommandResult input = shell("$M predict weather.mega - <&-");
  EXPECT_EQ(input.exit_code, 2);
  EXPECT_THAT(input.err, StartsWith("error: standard input: cannot be read"));
}

TEST_F(Streams, TheLimitOnFileSizesIsAClearErrorAndLeavesNoFile) {
  write("calls.txt", calls());
  const CommandResult result =
      shell("ulimit -f 1; $M train -s mix -d d=calls.txt -o m.mega");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("m.mega: cannot write: File too large\nfix: "));
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt"}));
}

TEST_F(Streams, NoFileIsBothReadAndWritten) {
  train_weather("megam");
  shell("ln -s calls.txt symbolic; ln calls.txt hard");
  const std::string model = read("weather.mega");
  for (const char* line :
       {"$M train -s mix -d d=calls.txt -o calls.txt",
        "$M train -s mix -d d='c*s.txt' -o hard",
        "$M train -s mix -d d=calls.txt -o symbolic",
        "$M train -s megam -d d=calls.txt -d n=news.txt -t d --checkpoint F -o F",
        "$M train -s megam -d d=calls.txt -d n=news.txt -t d --trace T -o ./T",
        "$M train -s megam -d d=calls.txt -d n=news.txt -t d --trace - -o -",
        "$M predict weather.mega calls.txt -o calls.txt",
        "$M predict weather.mega calls.txt -o weather.mega",
        "$M predict weather.mega - -o hard < calls.txt",
        "$M predict weather.mega calls.txt >> calls.txt",
        "$M convert symbolic --to jsonl -o calls.txt",
        "$M convert calls.txt --to libsvm --vocabulary v -o v",
        "$M adapt weather.mega -d d=calls.txt -o weather.mega",
        "$M words cluster calls.txt -k 2 -o calls.txt",
        "$M model export weather.mega -o weather.mega"}) {
    const CommandResult result = shell(line);
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_THAT(result.err, HasSubstr("are the same file\nfix: write to another file"));
  }
  EXPECT_EQ(read("calls.txt"), calls());
  EXPECT_EQ(read("weather.mega"), model);
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt", "hard", "news.txt", "symbolic",
                                               "weather.mega"}));
  EXPECT_EQ(shell("$M predict weather.mega calls.txt -o /dev/null").exit_code, 0);
}

TEST_F(Streams, TheNextRunSweepsWhatAKilledOneLeft) {
  train_weather();
  // Its input does not end, so it waits with its output open.
  RunningCommand prediction(command({"predict", "weather.mega", "-", "-o", "answers.txt"}),
                            folder());
  while (temporaries().empty()) usleep(1000);
  EXPECT_EQ(run({"convert", "calls.txt", "--to", "jsonl", "-o", "c.jsonl"}).exit_code, 0);
  EXPECT_EQ(temporaries().size(), 1u);  // its owner lives
  prediction.send_signal(SIGKILL);
  EXPECT_EQ(prediction.finish().exit_code, 128 + SIGKILL);
  EXPECT_EQ(temporaries().size(), 1u);
  EXPECT_EQ(run({"convert", "calls.txt", "--to", "jsonl", "-o", "c.jsonl"}).exit_code, 0);
  EXPECT_TRUE(temporaries().empty());
}

}  // namespace
}  // namespace megadapt
