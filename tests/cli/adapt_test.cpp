#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Adapt : public Cli {
 protected:
  Adapt() {
    train_weather();
    write("talk.txt",
          "sun\tbright uh\nrain\twet uh\nrain\tcold\nsun\tdry uh\nsun\twarm\nrain\tdark\n");
  }
  CommandResult adapt(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {
        "adapt", "weather.mega", "-d", "talk=talk.txt", "-o", "new.mega", "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Adapt, WritesAModelAndTellsTheGain) {
  const auto result = json_of({"adapt", "weather.mega", "-d", "talk=talk.txt", "-o",
                               "new.mega", "--json", "--quiet", "--force"});
  EXPECT_EQ(result["examples"], 6);
  EXPECT_EQ(result["held_out"], 6);
  EXPECT_EQ(result["new_features"], 1);
  ASSERT_EQ(result["systems"].size(), 5u);
  EXPECT_EQ(result["systems"][0]["name"], "former");
  EXPECT_TRUE(result["gain"]["accuracy"].is_number());
  EXPECT_EQ(output_of({"predict", "new.mega", "-", "-u"}, "uh warm\nwet\n"), "sun\nrain\n");
  const auto info = json_of({"model", "info", "new.mega", "--json"});
  EXPECT_EQ(info["target"], "talk");
  EXPECT_EQ(info["domains"]["news"]["examples"], 5);
  EXPECT_EQ(info["options"]["former"], "weather.mega");
  EXPECT_EQ(info["options"]["former-sha256"].get<std::string>().size(), 64u);
}

TEST_F(Adapt, TextEndsWithTheGain) {
  const CommandResult result = adapt({"--system", "prior"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("former"));
  EXPECT_THAT(result.out, HasSubstr("prior: "));
  EXPECT_THAT(result.out, HasSubstr("; the old model has "));
  EXPECT_THAT(result.out, HasSubstr("former is the old model"));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST_F(Adapt, EverySystemCanBeInspected) {
  for (const std::string system : {"prior", "feats", "lini"}) {
    ASSERT_EQ(adapt({"--system", system, "--variance", "1"}).exit_code, 0);
    EXPECT_THAT(output_of({"inspect", "new.mega"}), HasSubstr("warm")) << system;
  }
}

TEST_F(Adapt, NewLabelsAreTold) {
  write("talk.txt", "snow\tcold uh\nsnow\tcold\nsun\twarm\nrain\twet\nsnow\tuh\n");
  const CommandResult result = adapt({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("1 label unknown to the old model"));
  EXPECT_EQ(json_of({"model", "info", "new.mega", "--json"})["labels"],
            (nlohmann::json{"sun", "rain", "snow"}));
}

// Rows of the old model's own domain. Each half contradicts the other, so nothing new can
// be learnt from them.
TEST_F(Adapt, KeepsTheOldModelWhereItIsBetter) {
  write("talk.txt",
        "sun\twarm dry\nrain\tcold wet\nsun\twarm bright\nrain\twet dark\n"
        "sun\tuh\nrain\tuh\n");
  write("new.mega", "as it was");
  std::vector<std::string> words = {
      "adapt",    "weather.mega", "-d",   "talk=talk.txt",   "-o",
      "new.mega", "--system",     "lini", "--interpolation", "1"};
  const CommandResult result = run(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Keep the old model: "));
  EXPECT_THAT(result.out, HasSubstr("new.mega is not written (--force writes it)"));
  EXPECT_EQ(read("new.mega"), "as it was");
  words.insert(words.end(), {"--json", "--quiet"});
  const auto kept = json_of(words);
  EXPECT_EQ(kept["keep_old"], true);
  EXPECT_TRUE(kept["output"].is_null());
  words.push_back("--force");
  EXPECT_EQ(json_of(words)["output"], "new.mega");
  EXPECT_EQ(json_of({"model", "info", "new.mega", "--json"})["target"], "talk");
}

TEST_F(Adapt, RowsOfTheOldModelsTrainingAreTold) {
  const CommandResult result =
      run({"adapt", "weather.mega", "-d", "talk=calls.txt", "-o", "new.mega"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning: the model was trained on calls.txt"));
  EXPECT_THAT(result.out, HasSubstr("which says nothing about new rows"));
  EXPECT_EQ(
      run({"adapt", "weather.mega", "-d", "talk=calls.txt", "-o", "new.mega", "--strict"})
          .exit_code,
      4);
}

TEST_F(Adapt, OldTestTellsWhatTheOldDomainLoses) {
  // In talk.txt the label of every word is the opposite of its label in the old domain.
  write("talk.txt",
        "rain\twarm\nrain\tdry\nrain\tbright\nsun\tcold\nsun\twet\nsun\tdark\n"
        "rain\twarm dry\nsun\tcold wet\n");
  write("old.txt", "sun\twarm\nrain\twet\nrain\tcold dark\nsun\tdry\n");
  const auto result =
      json_of({"adapt", "weather.mega", "-d", "talk=talk.txt", "-o", "new.mega",
               "--old-test", "old.txt", "--json", "--quiet", "--force"});
  EXPECT_EQ(result["old_test"]["rows"], 4);
  EXPECT_EQ(result["old_test"]["before"], 1.0);
  EXPECT_EQ(result["old_test"]["won"], 0);
  EXPECT_EQ(result["old_test"]["lost"],
            json_of({"diff", "weather.mega", "new.mega", "old.txt", "--json"})["lost"]);
  EXPECT_THAT(adapt({"--old-test", "old.txt"}).out,
              HasSubstr("old.txt: the old model has"));
}

// Models that are not linear (a combination, source features, a mixture), and a linear one.
TEST_F(Adapt, EveryKindOfModelCanBeAdapted) {
  for (const std::string system : {"lini", "feats", "megam", "pool"}) {
    train_weather(system);
    const CommandResult result = adapt({"--system", "lini", "--variance", "1"});
    EXPECT_EQ(result.exit_code, 0) << system << result.err;
    EXPECT_EQ(output_of({"predict", "new.mega", "-", "-u"}, "cold dark wet\n"), "rain\n")
        << system;
  }
}

TEST_F(Adapt, ATaggerIsAdapted) {
  std::string old_text, new_text;
  for (int i = 0; i < 8; ++i) {
    old_text += "# doc = n" + std::to_string(i) +
                "\nthe\tDET\ndog\tNOUN\nbarks\tVERB\n\na\tDET\ncat\tNOUN\nsleeps\tVERB\n\n";
    new_text +=
        "# doc = c" + std::to_string(i) +
        "\nuh\tINTJ\nthe\tDET\nphone\tNOUN\nrings\tVERB\n\nuh\tINTJ\nbarks\tNOUN\n\n";
  }
  write("old.conll", old_text);
  write("new.conll", new_text);
  output_of({"train", "-q", "-s", "mix", "--task", "pos", "--columns", "token,tag", "-d",
             "news=old.conll", "-o", "pos.mega"});
  const auto result = json_of({"adapt", "pos.mega", "-d", "calls=new.conll", "-o",
                               "new.mega", "--json", "--quiet"});
  EXPECT_EQ(result["keep_old"], false);
  EXPECT_EQ(result["new_labels"], nlohmann::json{"INTJ"});
  EXPECT_GT(result["held_out"], 0);
  const auto info = json_of({"model", "info", "new.mega", "--json"});
  EXPECT_EQ(info["task"], "pos");
  EXPECT_EQ(info["target"], "calls");
  const auto score = json_of({"eval", "new.mega", "new.conll", "--json", "--quiet"});
  const auto before = json_of({"eval", "pos.mega", "new.conll", "--json", "--quiet"});
  EXPECT_GT(score["accuracy"], before["accuracy"]);
}

TEST_F(Adapt, OneRowIsEnough) {
  write("talk.txt", "sun\tuh\n");
  const CommandResult result = adapt({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("too few rows to hold some out"));
}

TEST_F(Adapt, MistakesExitWithTwo) {
  const CommandResult mix = adapt({"--system", "mix"});
  EXPECT_EQ(mix.exit_code, 2);
  EXPECT_THAT(mix.err,
              StartsWith("error: mix needs the rows that the old model was trained "
                         "on: news.txt (5 rows of news), calls.txt (4 rows of calls)"));
  const CommandResult typo = adapt({"--system", "prio"});
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_THAT(typo.err, HasSubstr("did you mean 'prior'?"));
  const CommandResult two = adapt({"-d", "more=calls.txt"});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err, HasSubstr("more than one domain"));
  EXPECT_THAT(two.err, HasSubstr("keep the rows of one of them in the file"));
  EXPECT_EQ(adapt({"--variance", "0"}).exit_code, 2);
  write("broken.mega", "MEGADAPT");
  EXPECT_EQ(run({"adapt", "broken.mega", "-d", "t=talk.txt", "-o", "new.mega"}).exit_code,
            3);
  EXPECT_EQ(run({"adapt", "weather.mega", "-d", "t=talk.txt", "-o", "."}).exit_code, 2);
}

}  // namespace
}  // namespace megadapt
