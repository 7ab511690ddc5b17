// The program as ranks of a real job. Other tests check what ranks compute, with threads as
// ranks. These tests check that ranks find each other, read their shares, report things
// once and end together.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/random.hpp"
#include "support/run_command.hpp"

namespace megadapt {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing_support::CommandResult;
using testing_support::RunningCommand;

class MpiRun : public testing::Test {
 protected:
  MpiRun() {
    std::string pattern = testing::TempDir() + "/megadapt-mpi-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    write("news.txt", rows(700, 1));
    write("calls.txt", rows(160, 2));
    write("test.txt", rows(300, 3));
  }
  ~MpiRun() override { std::filesystem::remove_all(folder_); }

  static std::string rows(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::string text;
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t label = random.below(3);
      text +=
          fmt::format("y{}\tf{}", random.below(8) == 0 ? random.below(3) : label, label);
      for (int i = 0; i < 5; ++i) text += fmt::format(" w{}", random.below(40) * 3 + label);
      for (int i = 0; i < 5; ++i) text += fmt::format(" n{}", random.below(4000));
      text += '\n';
    }
    return text;
  }

  static std::vector<std::string> mpirun(int ranks, std::vector<std::string> arguments,
                                         const char* program = MEGADAPT_MPI_PROGRAM) {
    arguments.insert(arguments.begin(),
                     {MEGADAPT_MPIRUN, "--allow-run-as-root", "--oversubscribe",
                      "--bind-to", "none", "-n", fmt::format("{}", ranks), program});
    return arguments;
  }
  static std::vector<std::string> train_command(const std::string& output,
                                                const std::string& system,
                                                std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"train", "--system", system, "-d", "news=news.txt", "-d",
                               "calls=calls.txt", "-t", "calls", "--tolerance", "1e-8",
                               "--threads", "1", "-o", output});
    return more;
  }
  CommandResult run(const std::vector<std::string>& command) const {
    return testing_support::run_command(command, folder_);
  }
  std::string labels_by(const std::string& model) const {
    const CommandResult result = run({MEGADAPT_PROGRAM, "predict", model, "test.txt"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  std::vector<double> objectives(const std::string& trace) const {
    std::ifstream file(folder_ + "/" + trace);
    std::vector<double> values;
    for (std::string line; std::getline(file, line);) {
      values.push_back(json::parse(line)["objective"]);
    }
    return values;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }
  /// Returns our processes whose command line contains `word`, such as the test's folder.
  std::vector<pid_t> ranks_that_name(const std::string& word) const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t process = std::atoi(entry.path().filename().c_str());
      std::ifstream file(entry.path() / "cmdline");
      std::ostringstream line;
      line << file.rdbuf();
      if (process > 0 && line.str().starts_with(MEGADAPT_MPI_PROGRAM) &&
          line.str().find(word) != std::string::npos) {
        found.push_back(process);
      }
    }
    return found;
  }

  std::string folder_;
};

TEST_F(MpiRun, RanksTrainTheSameModelAsOne) {
  std::string alone;
  double objective = 0;
  for (const int ranks : {1, 2, 4}) {
    const CommandResult result = run(mpirun(
        ranks, train_command("m.mega", "megam",
                             {"--psi-step", "lbfgs", "--trace", "t.jsonl", "--json"})));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json summary = json::parse(result.out);  // printed only once
    EXPECT_EQ(summary["examples"], 860);
    const std::vector<double> trace = objectives("t.jsonl");
    EXPECT_EQ(trace.size(), 30u);
    for (std::size_t i = 1; i < trace.size(); ++i) {
      EXPECT_GE(trace[i], trace[i - 1] - 1e-6 * std::abs(trace[i]));
    }
    if (ranks == 1) {
      alone = labels_by("m.mega");
      objective = summary["objective"];
    } else {
      EXPECT_EQ(labels_by("m.mega"), alone) << ranks;
      EXPECT_NEAR(summary["objective"], objective, 1e-6 * std::abs(objective));
    }
  }
}

TEST_F(MpiRun, EverySystemRuns) {
  for (const char* system :
       {"mix", "mixw", "onlyo", "onlyi", "prior", "lini", "feats", "easyadapt", "pool"}) {
    const CommandResult result = run(mpirun(2, train_command("m.mega", system)));
    EXPECT_EQ(result.exit_code, 0) << system << result.err;
    EXPECT_THAT(result.err, HasSubstr("860 examples"));
    EXPECT_NE(labels_by("m.mega"), "");
  }
}

TEST_F(MpiRun, PatternsAndHashesOfFiles) {
  for (int part = 0; part < 6; ++part) {
    write(fmt::format("part{}.txt", part),
          rows(100, 10 + static_cast<std::uint64_t>(part)));
  }
  const CommandResult result =
      run(mpirun(3, {"train", "--system", "mix", "-d", "calls=part*.txt", "-o", "m.mega"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("600 examples"));
  const CommandResult info = run({MEGADAPT_PROGRAM, "model", "info", "m.mega", "--json"});
  const json data = json::parse(info.out)["data"];
  ASSERT_EQ(data.size(), 6u);
  for (const json& file : data) {
    EXPECT_EQ(file["rows"], 100);
    EXPECT_EQ(file["sha256"].get<std::string>().size(), 64u);  // read by one rank
  }
}

// There is one message with the name of the file, and the program's exit code is kept.
TEST_F(MpiRun, AnUnreadableShardEndsTheJob) {
  write("part1.txt", rows(50, 1));
  write("part2.txt", rows(50, 2) + "y1\tbroken \xff\n");
  const CommandResult result =
      run(mpirun(4, {"train", "--system", "mix", "-d", "calls=part1.txt", "-d",
                     "calls=part2.txt", "-o", "m.mega"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("part2.txt:51:"));
  EXPECT_EQ(result.err.find("error:"), result.err.rfind("error:"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/m.mega"));
}

TEST_F(MpiRun, AWrongOptionIsReportedOnce) {
  const CommandResult result =
      run(mpirun(3, train_command("m.mega", "megam", {"--psi-step", "sweep"})));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--psi-step lbfgs"));
  EXPECT_EQ(result.err.find("error:"), result.err.rfind("error:"));
  EXPECT_EQ(run(mpirun(2, {"train", "--nonsense"})).exit_code, 2);
}

TEST_F(MpiRun, CommandsForOneRankSaySo) {
  const CommandResult result = run(mpirun(2, {"predict", "m.mega", "test.txt"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("'megadapt predict' does not run on several ranks"));
  EXPECT_THAT(run(mpirun(2, {"tune", "-d", "calls=calls.txt", "-t", "calls", "-s", "mix",
                             "--dev-fraction", "0.5"}))
                  .err,
              HasSubstr("tune by folds can use ranks"));
}

TEST_F(MpiRun, StandardInputCannotBeShared) {
  for (const char* command : {"train", "tune"}) {
    const CommandResult result = run(
        mpirun(2, {command, "-d", "calls=-", "-t", "calls", "-s", "mix", "-o", "m.mega"}));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("standard input cannot be shared among ranks"));
  }
}

TEST_F(MpiRun, ARowCacheIsRefused) {
  const CommandResult result =
      run(mpirun(2, train_command("m.mega", "mix", {"--row-cache", "rows"})));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--row-cache does not work with the ranks"));
}

TEST_F(MpiRun, ComparesOnRanks) {
  const auto compare = [&](int ranks) {
    const CommandResult result =
        run(mpirun(ranks, {"compare", "-d", "news=news.txt", "-d", "calls=calls.txt", "-t",
                           "calls", "--test", "test.txt", "--systems", "onlyi,mix,prior",
                           "--no-tuning", "--json", "--threads", "1"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    json table = json::parse(result.out);
    for (json& system : table["systems"]) system.erase("seconds");
    return table;
  };
  EXPECT_EQ(compare(2), compare(1));
}

TEST_F(MpiRun, TunesOnRanks) {
  const auto tune = [&](int ranks) {
    const CommandResult result =
        run(mpirun(ranks, {"tune", "-d", "news=news.txt", "-d", "calls=calls.txt", "-t",
                           "calls", "-s", "prior", "--tune-folds", "3", "--json",
                           "--threads", "1", "-o", "tuned.mega"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    json found = json::parse(result.out);
    found.erase("seconds");
    for (json& trial : found["tried"]) trial.erase("seconds");
    return found;
  };
  EXPECT_EQ(tune(2), tune(1));
}

TEST_F(MpiRun, TheProgramWithoutMpiSaysSo) {
  if (std::string(MEGADAPT_PROGRAM) == MEGADAPT_MPI_PROGRAM) return;
  const CommandResult result =
      run(mpirun(2, train_command("m.mega", "mix"), MEGADAPT_PROGRAM));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("without MPI"));
  EXPECT_EQ(run(mpirun(1, train_command("m.mega", "mix"), MEGADAPT_PROGRAM)).exit_code, 0);
}

TEST_F(MpiRun, AKilledRankEndsTheJobAndANewOneResumes) {
  const auto command = [&](const std::string& output, bool checkpoint) {
    std::vector<std::string> more = {"--rounds", "12", "--json", "--quiet"};
    if (checkpoint) more.insert(more.end(), {"--checkpoint", folder_ + "/c.mega"});
    return train_command(folder_ + "/" + output, "megam", more);
  };
  RunningCommand job(mpirun(4, command("m.mega", true)), folder_);
  while (!std::filesystem::exists(folder_ + "/c.mega")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const auto processes = ranks_that_name(folder_ + "/c.mega");
  ASSERT_EQ(processes.size(), 4u);
  const auto killed = std::chrono::steady_clock::now();
  kill(processes[2], SIGKILL);
  EXPECT_NE(job.finish().exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - killed, std::chrono::seconds(10));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/m.mega"));

  // With another number of ranks, sums would be rounded differently from the first round on.
  const CommandResult resumed = run(mpirun(4, command("m.mega", true)));
  const CommandResult whole = run(mpirun(4, command("w.mega", false)));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const double objective = json::parse(whole.out)["objective"];
  EXPECT_NEAR(json::parse(resumed.out)["objective"], objective, 1e-6 * std::abs(objective));
}

}  // namespace
}  // namespace megadapt
