// Explanations add up for every system: contributions to the log-odds, and components to
// the mixture. Both agree with the model's prediction.
#include <gmock/gmock.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>

#include "base/log_space.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/systems.hpp"
#include "models/predictors.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing_support::planted_domains;

constexpr double kExact = 1e-9;
constexpr std::uint32_t kNumFeatures = 37, kNumLabels = 3, kNumDomains = 2;

const Model& trained(std::string_view system) {
  static std::map<std::string_view, Model> models;
  const auto found = models.find(system);
  if (found != models.end()) return found->second;
  const Execution exec(1);
  return models
      .emplace(system,
               train_model(planted_domains(120, 60, 1), system, "in", {}, {}, {exec}))
      .first->second;
}

/// Random features with random values; some features have no weight in the model.
struct RandomRow {
  std::vector<std::uint32_t> features;
  std::vector<float> values;
  RowView view() const { return {features, values}; }
};

RandomRow random_row() {
  RandomRow row;
  const bool plain = *rc::gen::arbitrary<bool>();
  for (std::uint32_t f = 0; f < kNumFeatures + 2; ++f) {
    if (*rc::gen::inRange(0, 3) != 0) continue;
    row.features.push_back(f);
    if (!plain) row.values.push_back(static_cast<float>(*rc::gen::inRange(-40, 80)) / 16);
  }
  return row;
}

double added_up(const LogOdds& sum) {
  double total = sum.intercept + sum.omitted_sum;
  for (const Contribution& term : sum.contributions) total += term.contribution;
  return total;
}

void check(const ComponentExplanation& part, std::uint32_t label, std::uint32_t against) {
  const std::vector<double>& p = part.probabilities;
  RC_ASSERT(std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < kExact);
  RC_ASSERT(std::abs(part.log_odds.total - std::log(p[label] / p[against])) < kExact);
  for (const ComponentExplanation& source : part.sources) check(source, label, against);
  if (part.components.empty()) {
    RC_ASSERT(std::abs(added_up(part.log_odds) - part.log_odds.total) < kExact);
    return;
  }
  std::vector<double> mixed(p.size());
  for (const ComponentExplanation& component : part.components) {
    check(component, label, against);
    for (std::size_t y = 0; y < p.size(); ++y) {
      mixed[y] += component.weight * component.probabilities[y];
    }
  }
  for (std::size_t y = 0; y < p.size(); ++y) RC_ASSERT(std::abs(mixed[y] - p[y]) < kExact);
  if (!part.gate) return;
  RC_ASSERT(std::abs(added_up(*part.gate) - part.gate->total) < kExact);
  RC_ASSERT(std::abs(sigmoid(part.gate->total) - part.components[0].weight) < kExact);
}

class Additive : public testing::TestWithParam<const System*> {};

INSTANTIATE_TEST_SUITE_P(Systems, Additive, testing::ValuesIn(systems()),
                         [](const auto& chosen) { return chosen.param->name(); });

TEST_P(Additive, ContributionsAddUpAndMixturesRecompose) {
  const Model& model = trained(GetParam()->name());
  ASSERT_EQ(model.features.size(), kNumFeatures);
  RC_ASSERT(rc::check("sums", [&] {
    const RandomRow row = random_row();
    const auto domain = *rc::gen::inRange<std::uint32_t>(0, kNumDomains);
    const auto label = *rc::gen::inRange<std::uint32_t>(0, kNumLabels);
    const auto against = (label + *rc::gen::inRange<std::uint32_t>(1, kNumLabels)) % 3;
    Explanation shown =
        explain(model, row.view(), domain, {.label = label, .against = against});
    std::vector<double> p(kNumLabels);
    model.predictor->predict(row.view(), domain, p);
    RC_ASSERT(shown.model.probabilities == p);
    RC_ASSERT(shown.general == model.predictor->general(row.view(), domain));
    check(shown.model, label, against);
    keep_strongest(shown, *rc::gen::inRange<std::size_t>(0, 6));
    check(shown.model, label, against);
  }));
}

TEST_P(Additive, ExplainsThePredictedLabelAgainstTheRunnerUp) {
  const Model& model = trained(GetParam()->name());
  const Dataset test = planted_domains(5, 20, 2);
  for (std::size_t n = 0; n < test.num_examples(); ++n) {
    const Explanation shown = explain(model, test.rows[n], test.domain[n]);
    const auto& p = shown.model.probabilities;
    for (std::uint32_t y = 0; y < kNumLabels; ++y) {
      EXPECT_LE(p[y], p[shown.label]);
      if (y == shown.label) continue;
      EXPECT_LE(p[y], p[shown.against]);
    }
    EXPECT_NE(shown.label, shown.against);
    EXPECT_GE(shown.model.log_odds.total, 0);
  }
}

TEST(Explain, EveryActiveFeatureIsListedWithTheLargestFirst) {
  const std::vector<std::uint32_t> features{0, 3, 5, 9, 30};
  const Explanation shown = explain(trained("mix"), {features, {}}, 1);
  const auto& terms = shown.model.log_odds.contributions;
  std::vector<std::string> names;
  for (const Contribution& term : terms) names.push_back(term.feature);
  EXPECT_THAT(names, testing::UnorderedElementsAre("(bias)", "f2", "f4", "f8", "f29"));
  for (std::size_t i = 1; i < terms.size(); ++i) {
    EXPECT_GE(std::abs(terms[i - 1].contribution), std::abs(terms[i].contribution));
  }
}

TEST(Explain, ComponentsAreCalledByTheirDomainsAndSystems) {
  const std::vector<std::uint32_t> features{0, 3};
  const auto names = [&](std::string_view system) {
    std::vector<std::string> all;
    const Explanation shown = explain(trained(system), {features, {}}, 1);
    for (const auto& part : shown.model.components) all.push_back(part.name);
    for (const auto& part : shown.model.sources) all.push_back(part.name);
    return all;
  };
  EXPECT_THAT(names("mix"), testing::IsEmpty());
  EXPECT_THAT(names("megam"), testing::ElementsAre("general", "in"));
  EXPECT_THAT(names("lini"), testing::ElementsAre("in", "out"));
  EXPECT_THAT(names("feats"), testing::ElementsAre("out"));
  for (const std::string& member : names("stack")) {
    EXPECT_EQ(find_system(member).name(), member);
  }
}

TEST(Explain, PredictionsOfSourcesAreFeatures) {
  const std::vector<std::uint32_t> features{0, 3};
  const Explanation shown = explain(trained("feats"), {features, {}}, 1);
  std::vector<std::string> names;
  for (const Contribution& term : shown.model.log_odds.contributions) {
    names.push_back(term.feature);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"out p(a)", "out p(b)", "out p(c)"}));
  EXPECT_THAT(names, testing::Contains(testing::StartsWith("out says ")));
}

TEST(Explain, AShareHeldAtOneStaysFinite) {
  Mixture mixture;
  mixture.general.weights = {1, -1, 0.5, 0};
  mixture.domain = {{.weights = {0, 0, 0, 0}, .presence = {}}};
  mixture.general_share = {1};
  mixture.gate = {.intercept = {INFINITY}, .weights = {0, 0}};
  Model model;
  NameIndex names;
  names.add("");
  names.add("x");
  model.features = names.view();
  model.labels = {"a", "b"};
  model.info.domains = {{.name = "d", .examples = 1, .general_share = 1}};
  model.info.target = "d";
  model.predictor = std::make_unique<MixturePredictor>(2, mixture);
  const std::vector<std::uint32_t> features{0, 1};
  const Explanation shown = explain(model, {features, {}}, 0);
  EXPECT_EQ(shown.model.components[0].weight, 1);
  EXPECT_EQ(shown.model.components[1].weight, 0);
  EXPECT_NEAR(shown.model.log_odds.total, 2.5, 1e-12);
  EXPECT_TRUE(std::isfinite(shown.model.gate->total));
}

TEST(Explain, ProbabilitiesThatUnderflowKeepTheirLogOdds) {
  Model model;
  NameIndex names;
  names.add("x");
  model.features = names.view();
  model.labels = {"a", "b"};
  model.info.domains = {{.name = "d", .examples = 1, .general_share = {}}};
  std::vector<std::unique_ptr<Predictor>> members;
  for (const double weight : {3000.0, 2000.0}) {
    members.push_back(
        std::make_unique<MaxentPredictor>(2, std::vector<double>{weight, -weight}));
  }
  model.predictor = std::make_unique<CombinationPredictor>(std::move(members),
                                                           std::vector<double>{0.5, 0.5});
  const std::vector<std::uint32_t> features{0};
  const Explanation shown = explain(model, {features, {}}, 0);
  EXPECT_LT(shown.model.probabilities[1], 1e-300);  // far above exp(-4000)
  EXPECT_NEAR(shown.model.log_odds.total, 4000 + std::log(2), 1e-9);
  EXPECT_EQ(shown.model.components[1].name, "member 2");
}

TEST(Explain, RefusesALabelAgainstItselfAndUnknownLabels) {
  const std::vector<std::uint32_t> features{0};
  const Model& model = trained("mix");
  EXPECT_THROW(explain(model, {features, {}}, 1, {.label = 1, .against = 1}), UsageError);
  EXPECT_THROW(explain(model, {features, {}}, 1, {.label = 3}), UsageError);
  EXPECT_THROW(explain(model, {features, {}}, 1, {.against = 3}), UsageError);
}

}  // namespace
}  // namespace megadapt
