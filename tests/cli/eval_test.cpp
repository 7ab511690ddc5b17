#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Eval : public Cli {
 protected:
  Eval() { train_weather(); }
  static std::string test_rows() {
    return "sun\twarm\nsun\twet dark\nrain\twet\nrain\tcold\nsnow\tcold bright\n";
  }
};

TEST_F(Eval, PrintsTables) {
  expect_golden("cli/eval.txt", output_of({"eval", "weather.mega", "-"}, test_rows()));
}

TEST_F(Eval, JsonHasTheAgreedFields) {
  const auto result = json_of({"eval", "weather.mega", "-", "--json"}, test_rows());
  EXPECT_EQ(result["examples"], 5);
  EXPECT_DOUBLE_EQ(result["accuracy"], 0.6);
  EXPECT_GT(result["log_loss"], -std::log(1e-15) / 5);
  EXPECT_EQ(result["interval"].size(), 2u);
  EXPECT_LE(result["interval"][0], 0.6);
  EXPECT_GE(result["interval"][1], 0.6);
  EXPECT_DOUBLE_EQ(result["labels"]["sun"]["precision"], 1);
  EXPECT_DOUBLE_EQ(result["labels"]["sun"]["recall"], 0.5);
  EXPECT_DOUBLE_EQ(result["labels"]["rain"]["recall"], 1);
  EXPECT_EQ(result["labels"]["snow"]["support"], 1);
  EXPECT_EQ(result["confusion"]["sun"]["rain"], 1);
  EXPECT_EQ(result["confusion"]["rain"]["sun"], 0);
  EXPECT_EQ(result["unseen_labels"], (nlohmann::json{{"snow", 1}}));
  // sun: P 1, R 1/2; rain: P 2/4, R 1; snow: 0.
  EXPECT_NEAR(result["f1"], (2.0 / 3 + 2.0 / 3 + 0) / 3, 1e-12);
}

TEST_F(Eval, TheSeedDecidesTheInterval) {
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += i % 3 ? "sun\twarm\n" : "sun\twet\n";
  const auto seeded = [&](const std::string& seed) {
    return json_of({"eval", "weather.mega", "-", "--json", "--seed", seed},
                   rows)["interval"];
  };
  EXPECT_EQ(seeded("1"), seeded("1"));
  EXPECT_NE(seeded("1"), seeded("2"));
}

TEST_F(Eval, GroupsWidenTheInterval) {
  std::string alone;
  std::string grouped;
  for (int i = 0; i < 400; ++i) {
    const std::string features = i / 20 % 2 ? "[\"warm\"]" : "[\"wet\"]";
    const std::string row = "{\"label\":\"sun\",\"features\":" + features;
    alone += row + "}\n";
    grouped += row + ",\"group\":\"g" + std::to_string(i / 20) + "\"}\n";
  }
  const auto width = [&](const std::string& rows) {
    const auto interval =
        json_of({"eval", "weather.mega", "-", "--json"}, rows)["interval"];
    return interval[1].get<double>() - interval[0].get<double>();
  };
  EXPECT_GT(width(grouped), 3 * width(alone));
}

TEST_F(Eval, RowsWithoutALabelCannotBeCompared) {
  const CommandResult result = run({"eval", "weather.mega", "-"},
                                   "{\"features\":[\"warm\"]}\n{\"features\":[\"wet\"]}\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: standard input:1: no label"));
}

TEST_F(Eval, ManyLabelsShowTheMostFrequentMistakes) {
  std::string rows;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j <= i; ++j) rows += "other" + std::to_string(i) + "\twarm\n";
  }
  rows += "sun\twarm\n";
  const std::string text = output_of({"eval", "weather.mega", "-", "--quiet"}, rows);
  EXPECT_THAT(text, HasSubstr("true     predicted  rows\nother11        sun    12\n"));
}

TEST_F(Eval, AFullDiskExitsWithFive) {
  const CommandResult result = testing_support::run_command(
      {"sh", "-c", "\"$0\" eval -q weather.mega calls.txt > /dev/full", MEGADAPT_PROGRAM},
      folder());
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, StartsWith("error: standard output: cannot write"));
}

}  // namespace
}  // namespace megadapt
