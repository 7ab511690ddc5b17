#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

/// Two models that disagree about the words "wet" and "dark".
class Diff : public Cli {
 protected:
  Diff() {
    const std::string common = "sun\twarm dry\nsun\twarm bright\nrain\tcold\nrain\tcold\n";
    write("old.txt", common + "rain\twet\nrain\twet\nsun\tdark\nsun\tdark\n");
    write("new.txt", common + "sun\twet\nsun\twet\nrain\tdark\nrain\tdark\n");
    write("test.txt",
          "rain\twet\nrain\twet cold\nrain\tdark\nsun\twarm\nsnow\tcold\nrain\twet wet\n");
    for (const std::string name : {"old", "new"}) {
      output_of({"train", "-q", "-s", "mix", "-d", "d=" + name + ".txt", "-o",
                 name + ".mega", "--variance", "10"});
    }
  }
  std::vector<std::string> diff(std::vector<std::string> more) const {
    std::vector<std::string> words = {"diff", "old.mega", "new.mega", "test.txt"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Diff, CountsRowsWonAndLostAndNamesTheFeatures) {
  const auto result = json_of(diff({"--json"}));
  EXPECT_EQ(result["rows"], 6);
  EXPECT_EQ(result["won"], 1);
  ASSERT_GE(result["lost"], 2);
  const auto& lost = result["lost_rows"][0];
  EXPECT_EQ(lost["row"], 1);
  EXPECT_EQ(lost["label"], "rain");
  EXPECT_EQ(lost["before"], "rain");
  EXPECT_EQ(lost["after"], "sun");
  EXPECT_GT(lost["p_before"], lost["p_after"]);
  EXPECT_EQ(lost["features"][0]["name"], "wet");
  EXPECT_LT(lost["features"][0]["change"], 0);
  EXPECT_EQ(result["won_rows"][0]["features"][0]["name"], "dark");
  EXPECT_GT(result["won_rows"][0]["features"][0]["change"], 0);
  EXPECT_EQ(result["features"][0]["name"], "wet");
  EXPECT_EQ(result["warnings"].size(), 0u);
}

// One row won and two or more lost: an exact binomial test.
TEST_F(Diff, PIsThatOfMcNemar) {
  const auto result = json_of(diff({"--json"}));
  const int won = result["won"], lost = result["lost"];
  ASSERT_EQ(won, 1);
  double tail = 0;
  for (int k = 0; k <= won; ++k) tail += k == 0 ? 1 : won + lost;
  EXPECT_NEAR(result["p"], std::min(1.0, 2 * tail / std::pow(2, won + lost)), 1e-12);
}

TEST_F(Diff, MaxLostSetsTheExitCode) {
  const int lost = json_of(diff({"--json"}))["lost"];
  EXPECT_EQ(run(diff({"--max-lost", std::to_string(lost)})).exit_code, 0);
  const CommandResult result = run(diff({"--max-lost", std::to_string(lost - 1)}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("lost rows"));
  EXPECT_THAT(result.err, HasSubstr("error: the new model loses"));
}

TEST_F(Diff, TheSameModelChangesNothing) {
  const std::string text = output_of({"diff", "old.mega", "old.mega", "test.txt"});
  EXPECT_THAT(text, HasSubstr("won 0, lost 0; McNemar p = 1"));
}

TEST_F(Diff, MistakesAreTold) {
  EXPECT_THAT(run({"diff", "old.mega", "new.mega", "new.txt"}).err,
              HasSubstr("warning: the model was trained on new.txt"));
  const CommandResult input = run({"diff", "old.mega", "new.mega", "-"}, "sun\twarm\n");
  EXPECT_EQ(input.exit_code, 2);
  EXPECT_THAT(input.err, HasSubstr("give a file"));
}

TEST_F(Diff, TaggersAreComparedByToken) {
  write("a.conll", "the\tDET\ndog\tNOUN\nbarks\tVERB\n\n");
  write("b.conll", "the\tDET\ndog\tNOUN\nbarks\tNOUN\n\n");
  write("t.conll", "dog\tNOUN\nbarks\tVERB\n\n");
  for (const std::string name : {"a", "b"}) {
    output_of({"train", "-q", "-s", "mix", "--task", "pos", "--columns", "token,tag", "-d",
               "d=" + name + ".conll", "-o", name + ".mega"});
  }
  const auto result = json_of({"diff", "a.mega", "b.mega", "t.conll", "--json", "--quiet"});
  EXPECT_EQ(result["rows"], 2);
  EXPECT_EQ(result["lost"], 1);
  EXPECT_EQ(result["lost_rows"][0]["row"], 2);
  EXPECT_EQ(result["lost_rows"][0]["text"], "dog [barks]");
}

}  // namespace
}  // namespace megadapt
