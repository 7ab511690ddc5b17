#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "megadapt/classifier.hpp"
#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using nlohmann::json;
using testing_support::planted_domains;

Model planted_model(std::string_view system) {
  const Execution exec(1);
  return train_model(planted_domains(120, 60, 1), system, "in", {}, {}, {exec});
}

json explained(const Model& model, const Row& row, std::size_t top = 100) {
  Explanation shown = Classifier::over(model).worker().explain(row);
  keep_strongest(shown, top);
  return json::parse(to_json(shown));
}

Row row_of(std::vector<NamedFeature> features) {
  Row row;
  row.features = std::move(features);
  return row;
}

TEST(ExplanationJson, HoldsThePredictionAndTheParts) {
  const json shown = explained(planted_model("megam"), row_of({{"f1"}, {"new"}, {"f3"}}));
  EXPECT_EQ(shown["domain"], "in");
  EXPECT_EQ(shown["unseen"], json({"new"}));
  EXPECT_EQ(shown["probability"], shown["probabilities"][shown["label"]]);
  EXPECT_NE(shown["against"], shown["label"]);
  const json& model = shown["model"];
  EXPECT_EQ(model["kind"], "mixture");
  EXPECT_FALSE(model.contains("contributions"));
  const double general = shown["general"];  // added up in another order
  EXPECT_NEAR(model["gate"]["general"].get<double>(), general, 1e-12);
  ASSERT_EQ(model["components"].size(), 2u);
  EXPECT_EQ(model["components"][0]["contributions"].size(), 3u);  // with the bias
  EXPECT_NEAR(model["components"][0]["weight"].get<double>(), general, 1e-12);
}

TEST(ExplanationJson, NumbersKeepEveryDigit) {
  const json shown = explained(planted_model("mix"), row_of({{"f1"}, {"f2"}, {"f3"}}));
  double total = 0;
  for (const json& term : shown["model"]["contributions"]) {
    total += term["contribution"].get<double>();
  }
  EXPECT_NEAR(total, shown["model"]["log_odds"].get<double>(), 1e-12);
  EXPECT_FALSE(shown.contains("general"));
}

TEST(ExplanationJson, OmittedContributionsAreSummed) {
  const json shown = explained(planted_model("mix"), row_of({{"f1"}, {"f2"}, {"f3"}}), 1);
  const json& model = shown["model"];
  ASSERT_EQ(model["contributions"].size(), 1u);
  EXPECT_EQ(model["omitted"]["features"], 3);
  EXPECT_NEAR(model["contributions"][0]["contribution"].get<double>() +
                  model["omitted"]["contribution"].get<double>(),
              model["log_odds"].get<double>(), 1e-12);
}

TEST(ExplanationJson, ARowsOwnDomainGoesBeforeTheTarget) {
  const Model model = planted_model("easyadapt");
  Row row = row_of({{"f1"}});
  row.domain = "out";
  EXPECT_EQ(explained(model, row)["domain"], "out");
  row.domain = "";
  EXPECT_EQ(explained(model, row)["domain"], "in");
  row.domain = "elsewhere";
  EXPECT_EQ(explained(model, row)["domain"], "in");
}

TEST(ExplanationJson, HostileNamesAreEscaped) {
  const json shown = explained(planted_model("mix"), row_of({{"\"<script>\n"}, {"\xff"}}));
  EXPECT_EQ(shown["unseen"], json({"\"<script>\n", "\xef\xbf\xbd"}));
}

}  // namespace
}  // namespace megadapt
