#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Curve : public Cli {
 protected:
  Curve() {
    std::string out, in;
    for (int i = 0; i < 12; ++i) {
      out += i % 2 ? "sun\twarm dry\nsun\tbright\n" : "rain\twet cold\nrain\tdark\n";
      in += i % 2 ? "sun\twarm uh\n" : "rain\tcold uh\n";
    }
    write("out.txt", out);
    write("in.txt", in);
    write("test.txt", "sun\tuh warm\nrain\tcold\nrain\twet\nsun\tdry\n");
  }
  static std::vector<std::string> with(std::vector<std::string> more) {
    std::vector<std::string> all = {
        "curve",     "-d",  "out=out.txt", "-d",   "in=in.txt", "-t", "in",
        "--systems", "mix", "--tune",      "none", "--seed",    "3"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_F(Curve, JsonHasEveryPointWithItsBand) {
  const auto result = json_of(with({"--test", "test.txt", "--sizes", "4", "--json"}));
  EXPECT_EQ(result["target"], "in");
  EXPECT_EQ(result["sizes"], (nlohmann::json{4, 12}));
  EXPECT_EQ(result["repeats"], 5);
  EXPECT_EQ(result["examples_tested"], 4);
  ASSERT_EQ(result["curves"].size(), 2u);
  for (const auto& curve : result["curves"]) {
    ASSERT_EQ(curve["points"].size(), 2u);
    for (const std::string name :
         {"examples", "mean", "low", "high", "f1", "f1_low", "f1_high", "log_loss",
          "log_loss_low", "log_loss_high"}) {
      EXPECT_TRUE(curve["points"][0][name].is_number()) << name;
    }
  }
  EXPECT_EQ(result["best"], "mix");
  EXPECT_TRUE(result["reference"].is_number());
  EXPECT_THAT(result["verdict"].get<std::string>(),
              HasSubstr("mix is already as accurate as onlyi"));
  EXPECT_FALSE(result["evidence"].empty());
}

TEST_F(Curve, ReportIsAPageOfTheCurves) {
  output_of(with({"--test", "test.txt", "--sizes", "4", "--report", "r.html"}));
  const std::string page = read("r.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr(R"("curves":[{"name":)"));
  EXPECT_THAT(page, HasSubstr("megadapt curve -d out=out.txt"));
  const CommandResult nowhere = run(with({"--report", "no/such/folder/r.html"}));
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_EQ(nowhere.out, "");
}

TEST_F(Curve, TextEndsWithTheVerdict) {
  const std::string text = output_of(with({"--folds", "3", "--repeats", "3"}));
  EXPECT_THAT(text, StartsWith("accuracy, %"));
  EXPECT_THAT(text, HasSubstr("log loss, nats"));
  EXPECT_THAT(text, HasSubstr("onlyi"));
}

TEST_F(Curve, MistakesExitWithTwo) {
  const auto error = [&](std::vector<std::string> more) {
    const CommandResult result = run(with(std::move(more)));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(error({"--sizes", "4,x"}), HasSubstr("'x' is not a number of rows"));
  EXPECT_THAT(error({"--sizes", "400"}), HasSubstr("no sample of 400 rows"));
  EXPECT_THAT(error({"--test", "test.txt", "--folds", "3"}), HasSubstr("excludes"));
  EXPECT_THAT(error({"--tune", "twice"}), HasSubstr("is not one of"));
  EXPECT_THAT(error({"--test", "none.txt"}), HasSubstr("none.txt"));
  EXPECT_THAT(run({"curve", "-d", "in=in.txt", "--systems", "mixx"}).err,
              HasSubstr("did you mean 'mix"));
}

TEST_F(Curve, TunesByFiveFoldsUnlessToldOtherwise) {
  std::string noisy;
  for (int i = 0; i < 20; ++i) {
    noisy += i % 3 == 0 ? "rain\twarm uh\n" : i % 2 ? "sun\twarm uh\n" : "rain\tcold uh\n";
  }
  write("in.txt", noisy);
  const auto tuned = [&](const std::vector<std::string>& more) {
    auto arguments =
        with({"--test", "test.txt", "--sizes", "6", "--repeats", "1", "--json"});
    for (std::string& argument : arguments) {
      if (argument == "none") argument = "once";
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json_of(arguments)["curves"];
  };
  EXPECT_EQ(tuned({}), tuned({"--tune-folds", "5"}));
  EXPECT_NE(tuned({}), tuned({"--dev-fraction", "0.2"}));
}

}  // namespace
}  // namespace megadapt
