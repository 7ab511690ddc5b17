#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

using testing::AllOf;

/// Each test plants one mistake that went unnoticed before there were warnings.
class Warnings : public Cli {
 protected:
  std::vector<std::string> training(const std::string& command = "train",
                                    const std::string& system = "mix") const {
    std::vector<std::string> words = {
        command,           "-s", system, "-d", "news=news.txt", "-d",
        "calls=calls.txt", "-t", "calls"};
    if (command == "train") words.insert(words.end(), {"-o", "m.mega"});
    return words;
  }
  /// The command warns with exit code 0; with --strict it fails and writes nothing.
  void expect_warning(std::vector<std::string> words, const std::string& problem,
                      const std::string& remedy, const std::string& input = {}) {
    const CommandResult lax = run(words, input);
    EXPECT_EQ(lax.exit_code, 0) << lax.err;
    EXPECT_THAT(lax.err, AllOf(HasSubstr("warning: " + problem), HasSubstr("fix: ")));
    EXPECT_THAT(lax.err, HasSubstr(remedy));
    std::filesystem::remove(folder() + "/m.mega");
    words.push_back("--strict");
    const CommandResult strict = run(words, input);
    EXPECT_EQ(strict.exit_code, 4);
    EXPECT_THAT(strict.err, HasSubstr("error: " + problem));
    EXPECT_FALSE(std::filesystem::exists(folder() + "/m.mega"));
  }
};

TEST_F(Warnings, GoodDataGetsNone) {
  write("news.txt", news());
  write("calls.txt", calls());
  const CommandResult result = run(training());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("warning")));
  std::vector<std::string> words = training();
  words.insert(words.end(), {"--json", "--strict"});
  EXPECT_EQ(json_of(words)["warnings"].size(), 0u);
}

TEST_F(Warnings, TargetOfOneLabel) {
  write("news.txt", news());
  write("calls.txt", "sun\twarm dry\nsun\twarm bright\n");
  expect_warning(training(), "all 2 rows of the target 'calls' have the label 'sun'",
                 "give it rows of other labels");
}

TEST_F(Warnings, DomainsWithoutACommonLabel) {
  write("news.txt", "good\twarm dry\nbad\twet cold\n");
  write("calls.txt", calls());
  expect_warning(training(),
                 "'news' and the target 'calls' have no label in common: good, bad / sun, "
                 "rain",
                 "--map-labels");
}

TEST_F(Warnings, LabelOfOneDomain) {
  write("news.txt", news() + "snow\tcold\n");
  write("calls.txt", calls());
  expect_warning(training(), "only 'news' has rows of the label snow", "--map-labels");
}

TEST_F(Warnings, DomainsWithoutACommonFeature) {
  write("news.txt", "sun\tWARM DRY\nrain\tWET COLD\n");
  write("calls.txt", calls());
  expect_warning(training(), "'news' and the target 'calls' have no feature in common",
                 "same format");
}

TEST_F(Warnings, FirstWordsAsLabels) {
  write("news.txt", news());
  write("calls.txt",
        "It was warm\nYesterday it rained\nBright and dry\nAll wet\nNo sun\nCold air\n"
        "So dark\nWe met\nDry days\nWet nights\nLast week\nNext week\n");
  const CommandResult guessed = run(training());
  EXPECT_EQ(guessed.exit_code, 2);
  EXPECT_THAT(guessed.err, HasSubstr("12 of 17 rows have a label that no other row has"));
  std::vector<std::string> named = training();
  named.insert(named.end(), {"--format", "megam"});
  expect_warning(named, "12 of 17 rows have a label that no other row has",
                 "LABEL<TAB>text");
}

TEST_F(Warnings, OneGroupLeavesNothingToTune) {
  write("news.txt", news());
  std::string rows;
  for (const char* row :
       {"\"sun\", \"features\": [\"warm\"]", "\"rain\", \"features\": [\"wet\"]",
        "\"sun\", \"features\": [\"dry\"]"}) {
    rows += std::string("{\"label\": ") + row + ", \"group\": \"one\"}\n";
  }
  write("calls.txt", rows);
  expect_warning(training("tune"), "the target 'calls' has a single group of rows",
                 "group");
  std::vector<std::string> words = training("tune");
  words.insert(words.end(), {"--json", "--quiet"});
  const auto warnings = json_of(words)["warnings"];
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0]["kind"], "one-group");
  EXPECT_THAT(warnings[0]["remedy"].get<std::string>(), HasSubstr("group"));
}

TEST_F(Warnings, ForgottenUnlabelledFlag) {
  train_weather();
  expect_warning({"predict", "weather.mega", "-"},
                 "standard input: 2 of 2 rows have a label that the model does not know, "
                 "such as 'warm'",
                 "give -u", "warm dry\nwet cold\n");
  EXPECT_EQ(run({"predict", "weather.mega", "-", "-u"}, "warm dry\n").err, "");
}

TEST_F(Warnings, EvalOfTheTrainingFile) {
  train_weather();
  expect_warning(
      {"eval", "weather.mega", "calls.txt"},
      "the model was trained on calls.txt: the scores say nothing about new rows",
      "compare");
  write("renamed.txt", calls());
  EXPECT_THAT(run({"eval", "weather.mega", "renamed.txt"}).err,
              HasSubstr("trained on renamed.txt (calls.txt then)"));
  write("test.txt", "sun\twarm\nrain\tcold\n");
  EXPECT_EQ(json_of({"eval", "weather.mega", "test.txt", "--json"})["warnings"].size(), 0u);
}

TEST_F(Warnings, EvalOfUnlabelledTextIsRefused) {
  train_weather();
  const CommandResult result = run({"eval", "weather.mega", "-"}, "warm dry\nwet cold\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("the model knows none of these labels: warm, wet"));
  EXPECT_THAT(result.err, HasSubstr("predict -u"));
}

TEST_F(Warnings, EvalWithMostLabelsUnknown) {
  train_weather();
  expect_warning({"eval", "weather.mega", "-"},
                 "2 of 3 rows have a label that the model does not know: snow",
                 "--map-labels", "snow\tcold\nsnow\twet\nsun\twarm\n");
}

TEST_F(Warnings, ColumnThatOneDomainLeavesEmpty) {
  write("news.conll", "the\tDET\tthe\ndogs\tNOUN\tdog\nbark\tVERB\tbark\n\n");
  write("calls.conll", "uh\tINTJ\t_\ndogs\tNOUN\t_\nbark\tVERB\t_\nthe\tDET\t_\n\n");
  write("own.txt", "w[0]\nlemma[0]\n");
  std::vector<std::string> words = {"train",
                                    "-s",
                                    "mix",
                                    "--task",
                                    "pos",
                                    "--format",
                                    "conll",
                                    "--columns",
                                    "token,tag,lemma",
                                    "-d",
                                    "news=news.conll",
                                    "-d",
                                    "calls=calls.conll",
                                    "-t",
                                    "calls",
                                    "-o",
                                    "m.mega"};
  EXPECT_THAT(
      run(words).err,
      HasSubstr("warning: column 'lemma' is not used: a domain has no value in it"));
  words.insert(words.end(), {"--features", "own.txt"});
  EXPECT_THAT(run(words).err, HasSubstr("warning: the templates use column 'lemma', in "
                                        "which a domain has no value"));
  words.push_back("--strict");
  EXPECT_EQ(run(words).exit_code, 4);
}

}  // namespace
}  // namespace megadapt
