#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Inspect : public Cli {
 protected:
  Inspect() { train_weather(); }
};

TEST_F(Inspect, ShowsDomainsProvenanceAndStrongestFeatures) {
  std::string text = output_of({"inspect", "weather.mega", "--top", "2"});
  const std::size_t version = text.find("megadapt ");
  text.replace(version, text.find(' ', version + 9) - version, "megadapt VERSION");
  expect_golden("cli/inspect.txt", text);
}

TEST_F(Inspect, JsonListsFeaturesByWeight) {
  const auto result = json_of({"inspect", "weather.mega", "--top", "3", "--json"});
  EXPECT_EQ(result["system"], "mix");
  EXPECT_EQ(result["features"], 7);
  const auto& top = result["top"]["sun"];
  ASSERT_EQ(top.size(), 3u);
  EXPECT_EQ(top[0]["feature"], "warm");
  EXPECT_GE(top[0]["weight"], top[1]["weight"]);
  EXPECT_GE(top[1]["weight"], top[2]["weight"]);
  EXPECT_GT(top[2]["weight"], 0);
}

TEST_F(Inspect, ShowsAStoredEvaluationWithItsCalibration) {
  const std::string before = output_of({"predict", "weather.mega", "news.txt", "--json"});
  const auto result = json_of({"eval", "weather.mega", "news.txt", "--store", "--json"});
  const auto stored = json_of({"inspect", "weather.mega", "--json"})["evaluation"];
  EXPECT_EQ(stored["accuracy"], result["accuracy"]);
  EXPECT_EQ(stored["reliability"], result["reliability"]);
  EXPECT_EQ(stored["data"]["file"], "news.txt");
  EXPECT_EQ(stored["data"]["sha256"],
            json_of({"inspect", "weather.mega", "--json"})["data"][0]["sha256"]);
  EXPECT_FALSE(stored.contains("confusion"));
  const std::string text = output_of({"inspect", "weather.mega"});
  EXPECT_THAT(text, HasSubstr("\nevaluation\n  5 examples of news.txt\n    sha256 "));
  EXPECT_THAT(text, HasSubstr("  calibration error "));
  EXPECT_EQ(output_of({"predict", "weather.mega", "news.txt", "--json"}), before);
  EXPECT_EQ(run({"eval", "-", "news.txt", "--store"}).exit_code, 2);
}

TEST_F(Inspect, TheBiasHasAName) {
  write("rows.txt", "a\tx\na\ty\na\tz\nb\tw\n");
  output_of({"train", "-q", "--system", "mix", "-d", "d=rows.txt", "-o", "m.mega"});
  EXPECT_THAT(output_of({"inspect", "m.mega"}), HasSubstr("(bias)"));
}

TEST_F(Inspect, ModelsOfEachDomainAreListedByDomain) {
  train_weather("easyadapt");
  const auto top = json_of({"inspect", "weather.mega", "--json"})["top"];
  EXPECT_EQ(top["calls"]["sun"][0]["feature"], "warm");
  EXPECT_EQ(top["news"]["sun"].size(), top["calls"]["sun"].size());
}

TEST_F(Inspect, MembersOfACombinationAreListedWithTheirWeights) {
  train_weather("lini");
  const auto result = json_of({"inspect", "weather.mega", "--json"});
  ASSERT_EQ(result["members"].size(), 2u);
  EXPECT_NEAR(static_cast<double>(result["members"][0]["weight"]) +
                  static_cast<double>(result["members"][1]["weight"]),
              1, 1e-12);
  for (const auto& member : result["members"]) {
    EXPECT_EQ(member["kind"], "maxent");
    EXPECT_FALSE(result["top"][member["name"].get<std::string>()]["rain"].empty());
  }
  EXPECT_THAT(output_of({"inspect", "weather.mega"}), HasSubstr("\nmembers\n"));
}

TEST_F(Inspect, SourcePredictionsAreNamedFeatures) {
  train_weather("feats");
  const auto top = json_of({"inspect", "weather.mega", "--json"})["top"];
  EXPECT_THAT(top["model"]["sun"].dump(), HasSubstr("news says sun"));
  EXPECT_THAT(top["model"]["rain"].dump(), HasSubstr("news p(rain)"));
  EXPECT_FALSE(top["source news"]["sun"].empty());
}

TEST_F(Inspect, NamesFeaturesOfSourcesAsExplainDoes) {
  train_weather("feats");
  const auto top = json_of({"inspect", "weather.mega", "--json"})["top"]["model"];
  const auto shown =
      json_of({"explain", "weather.mega", "calls.txt", "--row", "1", "--json"});
  std::size_t of_source = 0;
  for (const auto& term : shown["model"]["contributions"]) {
    const auto name = term["feature"].get<std::string>();
    if (!name.starts_with("news ")) continue;
    ++of_source;
    EXPECT_THAT(top.dump(), HasSubstr('"' + name + '"'));
  }
  EXPECT_EQ(of_source, 3u);  // the label and two probabilities
}

}  // namespace
}  // namespace megadapt
