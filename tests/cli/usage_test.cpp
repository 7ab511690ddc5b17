#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Usage : public Cli {};

// The commands that a help text lists: "train" of "  train        Train a model ...".
std::vector<std::string> commands_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(' ')) {
      listed = line == "Commands:";
    } else if (listed && line.size() > 2 && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

TEST_F(Usage, HelpOfEveryCommandIsAsReviewed) {
  const std::string help = output_of({"--help"});
  expect_golden("cli/help.txt", help);
  const auto commands = commands_in(help);
  EXPECT_THAT(commands, testing::IsSupersetOf({"train", "diff", "audit", "model"}));
  for (const std::string& name : commands) {
    const std::string of_command = output_of({name, "--help"});
    expect_golden("cli/help_" + name + ".txt", of_command);
    for (const std::string& part : commands_in(of_command)) {
      expect_golden("cli/help_" + name + "_" + part + ".txt",
                    output_of({name, part, "--help"}));
    }
  }
}

// The names of the options in a help text: "--domain" of "  -d, --domain NAME=FILE".
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    const std::size_t name = line.find("--");
    names.push_back(line.substr(name, line.find_first_of(" ", name) - name));
  }
  return names;
}

TEST_F(Usage, HelpAllShowsEveryOptionAndHelpTheUsualOnes) {
  const std::string all = output_of({"train", "--help-all"});
  expect_golden("cli/help_all_train.txt", all);
  EXPECT_THAT(options_in(all),
              testing::IsSupersetOf({"--version", "--json", "--psi-step"}));
  const std::vector<std::string> usual = options_in(output_of({"train", "--help"}));
  EXPECT_THAT(usual, testing::IsSupersetOf({"--domain", "--target", "--task", "--system",
                                            "--variance", "--output", "--help-all"}));
  EXPECT_LE(usual.size(), 14);  // twelve, --help and --help-all
  EXPECT_THAT(options_in(all), testing::IsSupersetOf(usual));
}

TEST_F(Usage, HelpOfAShortCommandShowsEveryOption) {
  EXPECT_EQ(output_of({"recap", "--help"}), output_of({"recap", "--help-all"}));
}

TEST_F(Usage, HelpFitsIntoEightyColumns) {
  for (const std::string name : {"train", "compare", "tune", "curve", "relate", "serve"}) {
    std::istringstream lines(output_of({name, "--help-all"}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80) << line;
  }
}

TEST_F(Usage, ManPageAndCompletionHaveEveryOption) {
  output_of({"--generate-man", "."});
  EXPECT_THAT(read("megadapt-train.1"), HasSubstr("psi\\-step"));
  EXPECT_THAT(output_of({"completion", "bash"}), HasSubstr("--psi-step"));
}

TEST_F(Usage, VersionIsKnownEverywhere) {
  const std::string version = output_of({"--version"});
  EXPECT_THAT(version, testing::MatchesRegex("megadapt [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(output_of({"train", "--version"}), version);
  EXPECT_EQ(output_of({"model", "info", "--version"}), version);
}

struct Mistake {
  std::vector<std::string> arguments;
  std::string problem;
  std::string fix;
};

class Mistakes : public Cli, public testing::WithParamInterface<Mistake> {};

TEST_P(Mistakes, ExitWithTwoAndARemedy) {
  const CommandResult result = run(GetParam().arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: " + GetParam().problem));
  EXPECT_THAT(result.err, HasSubstr("\nfix: " + GetParam().fix));
  EXPECT_TRUE(files().empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Mistakes,
    testing::Values(
        Mistake{{}, "a command is needed: train, predict", "see 'megadapt --help'"},
        Mistake{{"trian"}, "unknown command 'trian'", "did you mean 'train'?"},
        Mistake{{"model"}, "a command is needed: info", "see 'megadapt model --help'"},
        Mistake{{"model", "inf"}, "unknown command 'inf'", "did you mean 'info'?"},
        Mistake{{"train", "--varianc", "1"},
                "unknown option '--varianc'",
                "did you mean '--variance'? see 'megadapt train --help'"},
        Mistake{{"predict"}, "MODEL is required", "see 'megadapt predict --help'"},
        Mistake{{"inspect", "m.mega", "more"}, "unexpected argument 'more'", "see"},
        Mistake{{"train", "--system", "mixx", "-d", "a=b", "-o", "m"},
                "--system: 'mixx' is not one of",
                "see 'megadapt train --help'"},
        Mistake{{"train", "--system", "mix", "-d", "a=b", "-o", "m", "--variance", "nan"},
                "--variance: 'nan' is not a number above 0",
                "give --variance a number above 0"},
        Mistake{{"train", "--system", "mix", "-d", "a=b", "-o", "m", "--threads", "-2"},
                "--threads: '-2' is not a number from 0 on",
                "see"},
        Mistake{{"train", "--system", "mix", "-d", "a.txt", "-o", "m"},
                "--domain a.txt: this is not NAME=FILE",
                "write --domain news=news.txt"},
        Mistake{{"train", "--system", "mix", "-d", "=a.txt", "-o", "m"},
                "--domain =a.txt: this is not NAME=FILE",
                "write"},
        Mistake{{"train", "--system", "mix", "-d", "a=", "-o", "m"},
                "--domain a=: this is not NAME=FILE",
                "write"},
        Mistake{{"train", "--system", "mix", "-d", "a=b", "-o", "-", "--json"},
                "--json and the model would both go to standard output",
                "write the model"},
        Mistake{{"train", "--system", "mix", "-d", "a=b", "-o", "no/such/m.mega"},
                "no/such/m.mega: cannot write",
                "create the directory"},
        Mistake{{"train", "--system", "mix", "-d", "a=b", "-o", "."},
                ".: cannot write: it is a directory",
                "give the name of a file"},
        Mistake{{"train", "-q", "-v", "--system", "mix", "-d", "a=b", "-o", "m"},
                "--quiet excludes --verbose",
                "see"},
        Mistake{{"convert", "x", "--to", "jsonl", "--vocabulary", "v"},
                "--vocabulary numbers features for libsvm only",
                "add --to libsvm"},
        Mistake{{"eval", "none.mega", "x"}, "none.mega: ", ""}));

TEST_F(Usage, ASuggestionForASystemIsMade) {
  const CommandResult result = run({"train", "--system", "mixx", "-d", "a=b", "-o", "m"});
  EXPECT_THAT(result.err, HasSubstr("did you mean 'mix'?"));
}

}  // namespace
}  // namespace megadapt
