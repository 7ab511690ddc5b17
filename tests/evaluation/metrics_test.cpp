#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

// Five rows with labels a, b, c: two a (one predicted as b), two b (both right), one c
// (predicted as b).
Evaluator five_rows() {
  Evaluator evaluator({"a", "b", "c"});
  evaluator.add("a", std::array{0.7, 0.2, 0.1});
  evaluator.add("a", std::array{0.25, 0.5, 0.25});
  evaluator.add("b", std::array{0.1, 0.8, 0.1});
  evaluator.add("b", std::array{0.3, 0.4, 0.3});
  evaluator.add("c", std::array{0.3, 0.5, 0.2});
  return evaluator;
}

TEST(Metrics, CountsFiveRowsAsByHand) {
  const Evaluation result = five_rows().result(1);
  EXPECT_EQ(result.examples, 5u);
  EXPECT_DOUBLE_EQ(result.accuracy, 3.0 / 5);
  EXPECT_NEAR(result.log_loss, -std::log(0.7 * 0.25 * 0.8 * 0.4 * 0.2) / 5, 1e-15);
  EXPECT_DOUBLE_EQ(result.labels.at("a").precision, 1);
  EXPECT_DOUBLE_EQ(result.labels.at("a").recall, 0.5);
  EXPECT_DOUBLE_EQ(result.labels.at("a").f1, 2.0 / 3);
  EXPECT_EQ(result.labels.at("a").support, 2u);
  EXPECT_DOUBLE_EQ(result.labels.at("b").precision, 0.5);
  EXPECT_DOUBLE_EQ(result.labels.at("b").recall, 1);
  EXPECT_DOUBLE_EQ(result.labels.at("b").f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.labels.at("c").f1, 0);
  EXPECT_DOUBLE_EQ(result.f1, (2.0 / 3 + 2.0 / 3 + 0) / 3);
  EXPECT_EQ(result.confusion.at("a").at("b"), 1u);
  EXPECT_EQ(result.confusion.at("b").at("b"), 2u);
  EXPECT_EQ(result.confusion.at("c").at("c"), 0u);
  EXPECT_TRUE(result.unseen_labels.empty());
}

TEST(Metrics, AnUnseenLabelIsWrongAtTheAgreedProbability) {
  Evaluator evaluator({"a", "b"});
  evaluator.add("a", std::array{0.5, 0.5});
  evaluator.add("z", std::array{0.9, 0.1});
  const Evaluation result = evaluator.result(1);
  EXPECT_DOUBLE_EQ(result.accuracy, 0.5);
  EXPECT_NEAR(result.log_loss, -(std::log(0.5) + std::log(1e-15)) / 2, 1e-12);
  EXPECT_EQ(result.unseen_labels.at("z"), 1u);
  EXPECT_EQ(result.labels.at("z").support, 1u);
  EXPECT_DOUBLE_EQ(result.labels.at("z").recall, 0);
  EXPECT_EQ(result.confusion.at("z").at("a"), 1u);
  // a: P 1/2, R 1; b never occurs and is left out of the mean; z: 0.
  EXPECT_DOUBLE_EQ(result.f1, (2.0 / 3 + 0) / 2);
}

TEST(Metrics, AProbabilityOfZeroKeepsTheLogLossFinite) {
  Evaluator evaluator({"a", "b"});
  evaluator.add("b", std::array{1.0, 0.0});
  EXPECT_NEAR(evaluator.result(1).log_loss, -std::log(1e-15), 1e-12);
}

TEST(Metrics, TheFirstOfEqualProbabilitiesIsPredicted) {
  EXPECT_EQ(Evaluator::predicted(std::array{0.2, 0.4, 0.4}), 1u);
}

TEST(Metrics, NothingAddedGivesNoExamples) {
  const Evaluation result = Evaluator({"a", "b"}).result(1);
  EXPECT_EQ(result.examples, 0u);
  EXPECT_EQ(result.log_loss, 0);
}

RC_GTEST_PROP(MetricsLaw, SupportsAndHitsAddUp, (const std::vector<std::uint8_t>& draws)) {
  Evaluator evaluator({"a", "b", "c"});
  for (const std::uint8_t draw : draws) {
    std::array<double, 3> probability{0.2, 0.2, 0.2};
    probability[draw / 4 % 3] = 0.6;
    evaluator.add(std::string(1, static_cast<char>('a' + draw % 4)),
                  probability);  // d unseen
  }
  const Evaluation result = evaluator.result(7);
  std::size_t support = 0;
  std::size_t hits = 0;
  for (const auto& [label, scores] : result.labels) support += scores.support;
  for (const auto& [gold, row] : result.confusion) {
    if (row.contains(gold)) hits += row.at(gold);
  }
  RC_ASSERT(support == draws.size());
  RC_ASSERT(std::abs(result.accuracy * static_cast<double>(draws.size()) -
                     static_cast<double>(hits)) < 1e-9);
  RC_ASSERT(result.interval[0] <= result.interval[1]);
}

}  // namespace
}  // namespace megadapt
