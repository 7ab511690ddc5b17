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
    std::vector<std::string> arguments = {"adapt",         "weather.mega", "-d",
                                          "talk=talk.txt", "-o",           "new.mega"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(Adapt, WritesAModelAndTellsTheGain) {
  const auto result = json_of({"adapt", "weather.mega", "-d", "talk=talk.txt", "-o",
                               "new.mega", "--json", "--quiet"});
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
  EXPECT_THAT(result.out, HasSubstr("than onlyi; log loss"));
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
  EXPECT_EQ(adapt({"--variance", "0"}).exit_code, 2);
  write("broken.mega", "MEGADAPT");
  EXPECT_EQ(run({"adapt", "broken.mega", "-d", "t=talk.txt", "-o", "new.mega"}).exit_code,
            3);
  EXPECT_EQ(run({"adapt", "weather.mega", "-d", "t=talk.txt", "-o", "."}).exit_code, 2);
}

}  // namespace
}  // namespace megadapt
