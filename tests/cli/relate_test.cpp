#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Relate : public Cli {
 protected:
  Relate() {
    write("calls.txt", calls());
    write("news.txt", news());
  }
};

TEST_F(Relate, JsonHasAMatrixOfEveryMeasure) {
  write("talk.txt", "sun\tbright uh\nrain\twet uh\nrain\tcold\nsun\tdry uh\n");
  const auto result =
      json_of({"relate", "-d", "news=news.txt", "-d", "calls=calls.txt", "-d",
               "talk=talk.txt", "--folds", "2", "--top", "1", "--json"});
  EXPECT_EQ(result["domains"]["news"]["examples"], 5);
  EXPECT_EQ(result["smoothing"], 0.1);
  for (const std::string measure : {"kl", "jensen_shannon", "auc"}) {
    for (const std::string a : {"news", "calls", "talk"}) {
      EXPECT_EQ(result[measure][a].size(), 2u) << measure << a;
    }
  }
  EXPECT_EQ(result["jensen_shannon"]["news"]["talk"],
            result["jensen_shannon"]["talk"]["news"]);
  ASSERT_EQ(result["separators"].size(), 3u);
  EXPECT_EQ(result["separators"][2]["a"], "calls");
  EXPECT_EQ(result["separators"][2]["features"][0]["feature"], "uh");
  EXPECT_EQ(result["separators"][2]["features"][0]["share"]["talk"], 0.75);
}

TEST_F(Relate, TextShowsTheSameTables) {
  const std::string text =
      output_of({"relate", "-d", "news=news.txt", "-d", "calls=calls.txt", "--folds", "2"});
  EXPECT_THAT(text, HasSubstr("general (pi)"));
  EXPECT_THAT(text, HasSubstr("KL divergence of row from column, nats"));
  EXPECT_THAT(text, HasSubstr("AUC of a domain classifier"));
  EXPECT_THAT(text, HasSubstr("what tells news from calls"));
}

TEST_F(Relate, SaysWhatToExpectOfTheSystems) {
  output_of({"data", "plant", "p", "--source-rows", "600", "--target-rows", "300",
             "--source-general", "0.8", "--words", "20", "--reveal", "0.8"});
  const std::vector<std::string> both = {"relate", "-d", "out=p/out.train.txt", "-d",
                                         "in=p/in.train.txt"};
  EXPECT_THAT(output_of(both), HasSubstr("conflict that x reveals: try megam"));
  std::vector<std::string> json = both;
  json.push_back("--json");
  const auto result = json_of(json);
  const auto& conflict = result["conflict"]["out"]["in"];
  EXPECT_GT(conflict["source_fails"], 0.1);
  EXPECT_GT(conflict["auc"], 0.6);
  EXPECT_GT(result["domains"]["in"]["mean_general"], 0);
  EXPECT_EQ(result["separators"][0]["features"][0]["psi"].size(), 3u);
}

TEST_F(Relate, MistakesExitWithTwo) {
  const CommandResult one = run({"relate", "-d", "news=news.txt"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_THAT(one.err, StartsWith("error: there is one domain, 'news'"));
  const CommandResult zero =
      run({"relate", "-d", "a=news.txt", "-d", "b=calls.txt", "--smoothing", "0"});
  EXPECT_EQ(zero.exit_code, 2);
  EXPECT_THAT(zero.err, HasSubstr("is not a number above 0"));
  const CommandResult missing = run({"relate", "-d", "a=news.txt", "-d", "b=none.txt"});
  EXPECT_EQ(missing.exit_code, 2);
}

}  // namespace
}  // namespace megadapt
