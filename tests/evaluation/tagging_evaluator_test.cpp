#include <gmock/gmock.h>

#include <cmath>

#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

using Tags = std::vector<std::string_view>;

TEST(TaggingEvaluator, CountedByHand) {
  TaggingEvaluator evaluator({"O", "B", "I"});
  const Tags first{"B", "I", "O"}, second{"O", "B"};
  const std::vector<std::uint32_t> right{1, 2, 0}, wrong{0, 0};
  const std::vector<double> p3{0.5, 0.5, 0.5}, p2{0.25, 0.25};
  const std::vector<std::uint8_t> known{0, 1, 0}, unknown{0, 1};
  evaluator.add({first, right, p3, known, "d1"});
  evaluator.add({second, wrong, p2, unknown, "d1"});
  const TaggingEvaluation result = evaluator.result(1);
  EXPECT_EQ(result.tokens.examples, 5);
  EXPECT_DOUBLE_EQ(result.tokens.accuracy, 0.8);
  EXPECT_DOUBLE_EQ(result.tokens.log_loss, (3 * std::log(2) + 2 * std::log(4)) / 5);
  EXPECT_EQ(result.sentences, 2);
  EXPECT_EQ(result.sentence_accuracy, 0.5);
  ASSERT_TRUE(result.spans);
  EXPECT_EQ(result.spans->gold, 2);
  EXPECT_EQ(result.spans->predicted, 1);
  EXPECT_EQ(result.spans->right, 1);
  EXPECT_DOUBLE_EQ(result.tokens.f1, 2.0 / 3);
  EXPECT_EQ(result.unknown_tokens, 2);
  EXPECT_EQ(result.unknown_accuracy, 0.5);
  // With one document, every resample is the whole.
  EXPECT_DOUBLE_EQ(result.f1_interval[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.tokens.interval[0], 0.8);
}

TEST(TaggingEvaluator, OtherTagsHaveNoSpans) {
  TaggingEvaluator evaluator({"NOUN", "VERB"});
  const Tags gold{"NOUN", "ADJ"};
  const std::vector<std::uint32_t> predicted{0, 1};
  const std::vector<double> p{0.5, 0.5};
  evaluator.add({.gold = gold, .predicted = predicted, .gold_probability = p});
  const TaggingEvaluation result = evaluator.result(1);
  EXPECT_FALSE(result.spans);
  EXPECT_FALSE(result.unknown_tokens);
  EXPECT_EQ(result.tokens.unseen_labels.at("ADJ"), 1);
  EXPECT_NEAR(result.tokens.log_loss, (std::log(2) - std::log(kUnseenProbability)) / 2,
              1e-12);
}

TEST(TaggingEvaluator, SentencesAreResampledWholeWithoutDocuments) {
  TaggingEvaluator evaluator({"a", "b"});
  const Tags gold{"a", "a", "a", "a", "a", "a", "a", "a"};
  const std::vector<double> p(8, 0.5);
  for (std::uint32_t s = 0; s < 10; ++s) {
    const std::vector<std::uint32_t> predicted(8, s % 2);
    evaluator.add({.gold = gold, .predicted = predicted, .gold_probability = p});
  }
  // Ten draws of all or nothing give a much wider interval than 80 tokens.
  const TaggingEvaluation result = evaluator.result(1);
  EXPECT_LE(result.tokens.interval[0], 0.3);
  EXPECT_GE(result.tokens.interval[1], 0.7);
}

}  // namespace
}  // namespace megadapt
