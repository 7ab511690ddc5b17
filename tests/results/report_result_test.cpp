// Reports of a comparison on two tiny planted domains.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/random.hpp"
#include "megadapt/report.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using nlohmann::json;
using testing::SizeIs;

// Rows with one word that predicts the label in 80% of cases and one that does not.
void add_rows(Dataset& data, const std::string& domain, std::size_t rows, Random& random) {
  Schema& schema = data.own_schema();
  RowBuilder builder(data);
  for (std::size_t n = 0; n < rows; ++n) {
    const bool good = random.uniform() < 0.5;
    const bool clear = random.uniform() < 0.8;
    builder.add(schema.features.add(""));
    builder.add(schema.features.add(good == clear ? "fine" : "poor"));
    builder.add(schema.features.add(fmt::format("{}{}", domain, n % 5)));
    builder.end({.label = schema.labels.add(good        ? "good"
                                            : n % 7 > 0 ? "bad"
                                                        : "odd"),
                 .domain = schema.domains.add(domain)});
  }
}

struct Compared {
  explicit Compared(bool with_test, std::string systems = "onlyi,mix,megam") {
    Random random(3);
    add_rows(train, "books", 60, random);
    add_rows(train, "<phones>", 30, random);
    test.schema = train.schema;
    Random other(4);
    add_rows(test, "<phones>", 25, other);
    options.systems = parse_systems(systems);
    options.folds = 3;
    options.tuning.folds = 2;
    tested = with_test ? &test : nullptr;
    comparison = compare(train, 1, tested, options, exec);
  }
  json report(const ReportOptions& how = {}) const {
    return json::parse(report_result(train, 1, tested, comparison, options, how, exec));
  }

  Dataset train, test;
  CompareOptions options;
  const Dataset* tested = nullptr;
  Execution exec{1};
  Comparison comparison;
};

// Checks that the terms of every sum in an explanation add up to the sum that is shown.
void expect_sums(const json& part, double intercept) {
  if (part.contains("contributions") && !part["contributions"].empty()) {
    double sum = intercept;
    for (const json& term : part["contributions"]) sum += term[1].get<double>();
    if (part.contains("omitted")) sum += part["omitted"]["contribution"].get<double>();
    EXPECT_NEAR(sum, part["log_odds"].get<double>(), 1e-4);
  }
  if (part.contains("gate")) expect_sums(part["gate"], part["gate"]["intercept"]);
  if (part.contains("components")) {
    for (const json& component : part["components"]) expect_sums(component, 0);
  }
}

TEST(ReportResult, HasEveryPartOfAComparisonWithTestRows) {
  const Compared compared(true);
  const json result = compared.report({.commands = {"megadapt compare"}});
  EXPECT_EQ(result["best"], compared.comparison.best);
  EXPECT_EQ(result["title"], "books → <phones>");
  EXPECT_EQ(result["commands"], json({"megadapt compare"}));
  EXPECT_THAT(result["systems"], SizeIs(3));
  EXPECT_THAT(result["pairs"], SizeIs(3));
  EXPECT_THAT(result["data"]["domains"], SizeIs(3));
  EXPECT_EQ(result["data"]["domains"][1]["examples"], 30);
  EXPECT_EQ(result["data"]["domains"][2]["part"], "test");
  EXPECT_EQ(result["relatedness"]["domains"].size(), 2u);
  EXPECT_TRUE(result["relatedness"]["auc"]["books"]["<phones>"].is_number());
  EXPECT_EQ(result["trace"]["system"], "megam");
  EXPECT_FALSE(result["trace"]["steps"].empty());
}

TEST(ReportResult, BinsHoldEveryTestRow) {
  const json result = Compared(true).report();
  for (const json& system : result["systems"]) {
    std::size_t rows = 0;
    for (const json& bin : system["reliability"]["bins"]) rows += bin["count"].get<int>();
    EXPECT_EQ(rows, 25u);
    EXPECT_LE(system["reliability"]["calibration_error"].get<double>(), 1);
  }
  std::size_t rows = 0;
  for (const json& bin : result["gate"]["bins"])
    rows += bin["right"].get<int>() + bin["wrong"].get<int>();
  EXPECT_EQ(rows, 25u);
}

TEST(ReportResult, ExplainsWhatTheBestSystemPredicted) {
  for (const char* systems : {"onlyi,mix,megam", "megam", "mix,mixw,stack"}) {
    const json rows = Compared(true, systems).report()["rows"];
    ASSERT_THAT(rows["explanations"], SizeIs(25)) << systems;
    const json& predicted = rows["predicted"][rows["explained"].get<std::string>()];
    for (std::size_t i = 0; i < 25; ++i) {
      const json& explanation = rows["explanations"][i];
      EXPECT_EQ(explanation["label"], rows["labels"][predicted["label"][i].get<int>()]);
      EXPECT_NEAR(explanation["probability"], predicted["probability"][i], 0.001);
      expect_sums(explanation["model"], 0);
    }
  }
}

TEST(ReportResult, ExplainsAMistakeAgainstTheRightLabel) {
  std::size_t mistakes = 0;
  for (const bool tested : {true, false}) {
    const json rows = Compared(tested, "onlyi,mix").report()["rows"];
    for (std::size_t i = 0; i < rows["explanations"].size(); ++i) {
      const json& explanation = rows["explanations"][i];
      const json& right = rows["labels"][rows["gold"][i].get<int>()];
      if (explanation["label"] == right) continue;
      EXPECT_EQ(explanation["against"], right) << i;
      ++mistakes;
    }
  }
  EXPECT_GT(mistakes, 0u);
}

TEST(ReportResult, WithFoldsEveryTargetRowIsListedOnce) {
  const json rows = Compared(false).report()["rows"];
  std::vector<std::size_t> listed = rows["row"];
  std::sort(listed.begin(), listed.end());
  std::vector<std::size_t> target(30);
  std::iota(target.begin(), target.end(), 0);  // as rows of the target, for explain --row
  EXPECT_EQ(listed, target);
  EXPECT_THAT(rows["explanations"], SizeIs(30));
  EXPECT_THAT(rows["general"], SizeIs(30));
}

// Every fold tunes for itself, so that settings differ. Each row is explained by the model
// that was tested on it.
TEST(ReportResult, WithFoldsExplanationsAreOfTheTestedModels) {
  for (const char* systems : {"onlyi,mix,megam", "prior", "mix,mixw,stack"}) {
    const json rows = Compared(false, systems).report()["rows"];
    const json& predicted = rows["predicted"][rows["explained"].get<std::string>()];
    ASSERT_THAT(rows["explanations"], SizeIs(30)) << systems;
    for (std::size_t i = 0; i < 30; ++i) {
      const json& explanation = rows["explanations"][i];
      EXPECT_EQ(explanation["label"], rows["labels"][predicted["label"][i].get<int>()]);
      EXPECT_NEAR(explanation["probability"], predicted["probability"][i], 0.001);
    }
  }
}

TEST(ReportResult, SystemsSayWhatTheyAre) {
  const json result = Compared(true).report();
  for (const json& system : result["systems"]) {
    EXPECT_EQ(system["summary"],
              find_system(system["name"].get<std::string>()).traits().summary);
  }
}

TEST(ReportResult, ListsNoMoreRowsThanAskedAndSaysSo) {
  const json rows = Compared(true).report({.max_rows = 10})["rows"];
  EXPECT_THAT(rows["gold"], SizeIs(10));
  EXPECT_THAT(rows["active"], SizeIs(10));
  EXPECT_EQ(rows["of"], 25);
  EXPECT_THAT(rows["note"].get<std::string>(), testing::StartsWith("10 of 25 test rows"));
}

TEST(ReportResult, ShowsTextsInPlaceOfFeatures) {
  std::vector<std::string> texts;
  for (int n = 0; n < 25; ++n) texts.push_back(fmt::format("row [{}]", n));
  const json rows = Compared(true).report({.max_rows = 5, .texts = texts})["rows"];
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(rows["text"][i], texts[rows["row"][i].get<std::size_t>()]);
  }
  EXPECT_TRUE(rows["active"][0].empty());  // the text serves
  texts[0] = std::string(2'000'000, 'x');
  const json cut = Compared(true).report({.texts = texts})["rows"]["text"];
  EXPECT_LT(cut[0].get<std::string>().size(), 50'000u);
  texts.pop_back();
  EXPECT_FALSE(Compared(true).report({.texts = texts})["rows"].contains("text"));
}

TEST(ReportResult, OneDomainIsNotRelatedToAnother) {
  Compared compared(true, "mix");
  Dataset one;
  Random random(3);
  add_rows(one, "<phones>", 30, random);
  const Comparison alone = compare(one, 0, nullptr, compared.options, compared.exec);
  const json result = json::parse(
      report_result(one, 0, nullptr, alone, compared.options, {}, compared.exec));
  EXPECT_FALSE(result.contains("relatedness"));
  EXPECT_EQ(result["title"], "<phones>");
}

TEST(ReportResult, TokensAreExplainedAfterThePredictedTag) {
  Dataset train = testing_support::planted_sequences(40, 20, 1);
  for (std::size_t s = 0; s + 1 < train.sentence_begin.size(); ++s) {
    train.group.resize(train.sentence_begin[s + 1],
                       train.own_groups().add(fmt::format("{}", s)));
  }
  const Execution exec(1);
  CompareOptions options;
  options.systems = parse_systems("onlyi,megam");
  options.tune = false;
  options.folds = 3;
  const Comparison comparison = compare(train, 1, nullptr, options, exec);
  const json rows =
      json::parse(report_result(train, 1, nullptr, comparison, options, {}, exec))["rows"];
  const json& tags = rows["predicted"][rows["explained"].get<std::string>()]["label"];
  ASSERT_THAT(rows["explanations"], SizeIs(tags.size()));
  std::size_t starts = 0;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const json& shown = rows["explanations"][i];
    EXPECT_EQ(shown["label"], rows["labels"][tags[i].get<std::size_t>()]);
    expect_sums(shown["model"], 0);
    if (shown["previous"] == "<s>") {
      ++starts;
    } else {
      EXPECT_EQ(shown["previous"], rows["labels"][tags[i - 1].get<std::size_t>()]);
    }
    for (const json& feature : rows["active"][i]) {
      EXPECT_THAT(rows["features"][feature.get<std::size_t>()].get<std::string>(),
                  testing::StartsWith("w="));
    }
  }
  EXPECT_EQ(starts, 20u);
}

TEST(ReportResult, ReportOfCurvesHasDataAndRelatedness) {
  const Compared compared(true);
  CurveOptions options;
  options.systems = parse_systems("mix");
  options.repeats = 2;
  options.when_tuned = CurveTuning::none;
  const LearningCurves curves =
      learning_curves(compared.train, 1, compared.tested, options, compared.exec);
  const json result =
      json::parse(report_result(compared.train, 1, compared.tested, curves, options,
                                {.commands = {"megadapt curve"}}, compared.exec));
  EXPECT_THAT(result["curves"], SizeIs(2));  // onlyi is added
  EXPECT_EQ(result["target"], "<phones>");
  EXPECT_EQ(result["verdict"], curves.verdict);
  EXPECT_THAT(result["data"]["domains"], SizeIs(3));
  EXPECT_TRUE(result.contains("relatedness"));
  EXPECT_EQ(result["commands"], json({"megadapt curve"}));
  EXPECT_FALSE(result.contains("rows"));
}

TEST(ReportResult, DoesNotDependOnThreads) {
  const Compared compared(true);
  const Execution many(4);
  EXPECT_EQ(report_result(compared.train, 1, compared.tested, compared.comparison,
                          compared.options, {}, many),
            report_result(compared.train, 1, compared.tested, compared.comparison,
                          compared.options, {}, compared.exec));
}

}  // namespace
}  // namespace megadapt
