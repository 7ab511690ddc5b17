#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Doctor : public Cli {
 protected:
  // Runs the command in an environment; `-i` of env would hide PATH from it.
  CommandResult run_with(const std::vector<std::string>& variables,
                         const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{"env"};
    words.insert(words.end(), variables.begin(), variables.end());
    for (const std::string& word : command(arguments)) words.push_back(word);
    return testing_support::run_command(words, folder());
  }
};

TEST_F(Doctor, FindsNothingWrong) {
  const CommandResult result =
      run_with({"XDG_CACHE_HOME=" + folder()}, {"doctor", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json.at("ok"));
  std::vector<std::string> names;
  for (const auto& check : json.at("checks")) {
    EXPECT_TRUE(check.at("ok")) << check.dump();
    EXPECT_NE(check.at("detail"), "") << check.dump();
    names.push_back(check.at("name"));
  }
  EXPECT_THAT(names,
              testing::IsSupersetOf({"version", "processor", "threads", "mpi", "python",
                                     "working directory", "temporary directory", "cache",
                                     "self-test mix", "self-test megam"}));
  EXPECT_TRUE(files().empty()) << "removes what it wrote";
}

// The expected figures are the same for every choice of inner loops and threads.
TEST_F(Doctor, KnowsTheFiguresOfEveryKernel) {
  const CommandResult result =
      run_with({"XDG_CACHE_HOME=" + folder(), "MEGADAPT_FORCE_KERNELS=baseline"},
               {"doctor", "--threads", "1", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("kernels: baseline (MEGADAPT_FORCE_KERNELS)"));
}

TEST_F(Doctor, PrintsALineOfEachCheck) {
  const CommandResult result = run_with({"XDG_CACHE_HOME=" + folder()}, {"doctor"});
  EXPECT_THAT(result.out, StartsWith("ok      version              megadapt "));
  EXPECT_THAT(result.out, testing::EndsWith("\nall is well\n"));
}

TEST_F(Doctor, ReportsAFolderThatCannotBeWritten) {
  write("file", "not a folder");
  const CommandResult result =
      run_with({"XDG_CACHE_HOME=" + folder() + "/file"}, {"doctor", "--json"});
  EXPECT_EQ(result.exit_code, 4);
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_FALSE(json.at("ok"));
  for (const auto& check : json.at("checks")) {
    EXPECT_EQ(check.at("ok"), check.at("name") != "cache") << check.dump();
  }
}

}  // namespace
}  // namespace megadapt
