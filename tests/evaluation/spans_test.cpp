#include <gmock/gmock.h>

#include "dataset/reading/span_tags.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Tags = std::vector<std::string_view>;

TEST(Spans, Iob2) {
  EXPECT_THAT(
      spans_of(Tags{"O", "B-x", "I-x", "B-x", "O", "B-y"}),
      ElementsAre(TaggedSpan{1, 3, "x"}, TaggedSpan{3, 4, "x"}, TaggedSpan{5, 6, "y"}));
}

TEST(Spans, Iob1BeginsWithI) {
  EXPECT_THAT(spans_of(Tags{"I-x", "I-x", "B-x", "I-y", "O", "I-x"}),
              ElementsAre(TaggedSpan{0, 2, "x"}, TaggedSpan{2, 3, "x"},
                          TaggedSpan{3, 4, "y"}, TaggedSpan{5, 6, "x"}));
}

TEST(Spans, Iobes) {
  EXPECT_THAT(spans_of(Tags{"S-x", "B-x", "I-x", "E-x", "S-y", "O", "B-y", "E-y"}),
              ElementsAre(TaggedSpan{0, 1, "x"}, TaggedSpan{1, 4, "x"},
                          TaggedSpan{4, 5, "y"}, TaggedSpan{6, 8, "y"}));
}

TEST(Spans, BrokenIobesIsReadAsFarAsItMakesSense) {
  EXPECT_THAT(
      spans_of(Tags{"E-x", "I-x", "S-x", "I-x", "E-y"}),
      ElementsAre(TaggedSpan{0, 1, "x"}, TaggedSpan{1, 2, "x"}, TaggedSpan{2, 3, "x"},
                  TaggedSpan{3, 4, "x"}, TaggedSpan{4, 5, "y"}));
}

TEST(Spans, WithoutTypes) {
  EXPECT_THAT(
      spans_of(Tags{"B", "I", "B", "O", "I"}),
      ElementsAre(TaggedSpan{0, 2, ""}, TaggedSpan{2, 3, ""}, TaggedSpan{4, 5, ""}));
}

TEST(Spans, OtherTagsMarkNothing) {
  EXPECT_THAT(spans_of(Tags{"NOUN", "Bx", "B-", "O-x", ""}), IsEmpty());
  EXPECT_THAT(spans_of(Tags{}), IsEmpty());
  EXPECT_THAT(spans_of(Tags{"B-x", "X", "I-x"}),
              ElementsAre(TaggedSpan{0, 1, "x"}, TaggedSpan{2, 3, "x"}));
}

TEST(Spans, TagsOfSpansAreRecognised) {
  EXPECT_TRUE(mark_spans(std::vector<std::string>{"O", "B-x"}));
  EXPECT_TRUE(mark_spans(std::vector<std::string>{"I", "O"}));
  EXPECT_FALSE(mark_spans(std::vector<std::string>{"O"}));
  EXPECT_FALSE(mark_spans(std::vector<std::string>{"O", "B-x", "NOUN"}));
}

// Gold: x[0,2) y[3,4) x[5,7). Predicted: x[0,2) right; x[3,4) of the wrong type; x[5,6) too
// short. So x has 1 right of 2 gold and 3 predicted, and y has 0 of 1 and 0.
TEST(SpanCounts, CountedByHand) {
  const Tags gold{"B-x", "I-x", "O", "B-y", "O", "B-x", "I-x"};
  const Tags predicted{"B-x", "I-x", "O", "B-x", "O", "B-x", "O"};
  auto counts = count_spans(gold, predicted);
  ASSERT_EQ(counts.size(), 2);
  EXPECT_EQ(counts["x"].right, 1);
  EXPECT_EQ(counts["x"].gold, 2);
  EXPECT_EQ(counts["x"].predicted, 3);
  EXPECT_EQ(counts["y"].right, 0);
  EXPECT_EQ(counts["y"].gold, 1);
  EXPECT_EQ(counts["y"].predicted, 0);
  SpanCounts all = counts["x"];
  all += counts["y"];
  EXPECT_DOUBLE_EQ(all.precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(all.recall(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(all.f1(), 1.0 / 3);
  EXPECT_EQ(SpanCounts{}.f1(), 0);
}

// The same spans in different schemes get the same score.
TEST(SpanCounts, EverySchemeCountsTheSame) {
  const Tags iob1{"I-x", "I-x", "B-x", "O", "I-y"};
  const Tags iob2{"B-x", "I-x", "B-x", "O", "B-y"};
  const Tags iobes{"B-x", "E-x", "S-x", "O", "S-y"};
  for (const Tags& tags : {iob1, iob2, iobes}) {
    auto counts = count_spans(iob2, tags);
    EXPECT_EQ(counts["x"].right, 2);
    EXPECT_EQ(counts["x"].predicted, 2);
    EXPECT_EQ(counts["y"].right, 1);
  }
}

TEST(F1Randomisation, ToldApartOnlyWhenDifferent) {
  std::vector<SpanCounts> good, bad;
  for (int s = 0; s < 60; ++s) {
    good.push_back({2, 2, 2});
    bad.push_back({s % 3 == 0 ? 2ULL : 1ULL, 2, 2});
  }
  EXPECT_EQ(f1_randomisation_p(good, good, 1), 1);
  EXPECT_LT(f1_randomisation_p(good, bad, 1), 0.001);
  EXPECT_EQ(f1_randomisation_p(good, bad, 1), f1_randomisation_p(bad, good, 1));
}

// Only one sentence differs: half of the shuffles swap it, but the difference keeps its
// size.
TEST(F1Randomisation, OneSentenceSaysNothing) {
  const std::vector<SpanCounts> a{{1, 1, 1}, {1, 1, 1}}, b{{0, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(f1_randomisation_p(a, b, 1), 1);
}

}  // namespace
}  // namespace megadapt
