#include "corpus/text/text_features.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace megadapt::corpus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> features(std::string_view text, const TextOptions& options = {}) {
  TextFeatures extractor(options);
  std::vector<NamedFeature> found;
  extractor.append(text, found);
  std::vector<std::string> names;
  for (const NamedFeature& feature : found) {
    EXPECT_EQ(feature.value, 1);
    names.emplace_back(feature.name);
  }
  return names;
}

TEST(TextFeatures, WordsOnceEachWithoutPunctuation) {
  EXPECT_THAT(features("The cat -- the BIG cat!"), ElementsAre("big", "cat", "the"));
  EXPECT_THAT(features("don't pay 3,000.50"), ElementsAre("3,000.50", "don't", "pay"));
  EXPECT_THAT(features(" \t\n..."), IsEmpty());
  EXPECT_THAT(features(""), IsEmpty());
}

TEST(TextFeatures, LowerCaseIsUnicode) {
  EXPECT_THAT(features("ÉCOLE Straße"), ElementsAre("straße", "école"));
  EXPECT_THAT(features("ΟΔΟΣ"), ElementsAre("οδος"));  // final sigma
  EXPECT_THAT(features("École", {.lower_case = false}), ElementsAre("École"));
}

TEST(TextFeatures, WordNgramsAreJoinedByUnderscores) {
  EXPECT_THAT(features("a b c", {.word_ngrams = 3}),
              UnorderedElementsAre("a", "a_b", "a_b_c", "b", "b_c", "c"));
}

TEST(TextFeatures, CharacterNgramsStayWithinWordsAndCountCodePoints) {
  EXPECT_THAT(features("né ab", {.word_ngrams = 0, .char_ngrams = 2}),
              UnorderedElementsAre("c1=n", "c1=é", "c2=né", "c1=a", "c1=b", "c2=ab"));
  EXPECT_THAT(features("ab", {.word_ngrams = 1, .char_ngrams = 3}),
              UnorderedElementsAre("ab", "c1=a", "c1=b", "c2=ab"));
}

TEST(TextFeatures, AnExtractorCanBeReused) {
  TextFeatures extractor(TextOptions{});
  std::vector<NamedFeature> found;
  extractor.append("One", found);
  found.clear();
  extractor.append("A LONGER TEXT than the one before, İİİİ", found);
  EXPECT_EQ(found.size(), 8U);
  found.clear();
  extractor.append("two", found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "two");
}

TEST(TextFeatures, WeightsFollowTheNumberOfTimes) {
  const auto value_of_a = [](TextWeights weights) {
    TextFeatures extractor({.weights = weights});
    std::vector<NamedFeature> found;
    extractor.append("a b a A", found);
    EXPECT_THAT(found, testing::SizeIs(2));
    EXPECT_EQ(found[1].value, 1);
    return found[0].value;
  };
  EXPECT_EQ(value_of_a(TextWeights::binary), 1);
  EXPECT_EQ(value_of_a(TextWeights::counts), 3);
  EXPECT_EQ(value_of_a(TextWeights::log_counts), 1 + std::log(3.0F));
  EXPECT_EQ(value_of_a(TextWeights::tfidf), 1 + std::log(3.0F));
}

TEST(TextFeatures, SenselessOptionsAreRefused) {
  EXPECT_THROW(features("a", {.word_ngrams = 0}), UsageError);
  EXPECT_THROW(features("a", {.word_ngrams = -1, .char_ngrams = 2}), UsageError);
  EXPECT_THROW(features("a", {.char_ngrams = 1000}), UsageError);
}

}  // namespace
}  // namespace megadapt::corpus
