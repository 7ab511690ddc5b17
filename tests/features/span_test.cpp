#include "features/extracted.hpp"
#include "features/features.hpp"
#include "features/span_head.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

Sentence span_of(const std::vector<std::string_view>& tokens,
                 const std::vector<std::string_view>& pos, std::size_t begin,
                 std::size_t end) {
  Sentence sentence = sentence_of(tokens, pos);
  sentence.is_span = true;
  sentence.span_begin = begin;
  sentence.span_end = end;
  return sentence;
}

TEST(Spans, PlacesWithinTheSpanAndAround) {
  const Sentence sentence = span_of({"see", "the", "head", "of", "the", "agency", "now"},
                                    {"VB", "DT", "NN", "IN", "DT", "NN", "RB"}, 1, 6);
  const auto rows = extracted(
      "w[first-1] w[first] w[head] w[last] w[last+1] w[any] w[all] length pos|w[first]",
      sentence);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(rows[0], ElementsAre("w[first-1]=see", "w[first]=the", "w[head]=head",
                                   "w[last]=agency", "w[last+1]=now", "w[any]=the",
                                   "w[any]=head", "w[any]=of", "w[any]=agency",
                                   "w[all]=the\\shead\\sof\\sthe\\sagency", "length=5",
                                   "pos[head]|w[first]=NN|the"));
}

TEST(Spans, HeadsWithAndWithoutTags) {
  const auto head = [](const std::vector<std::string_view>& tokens,
                       const std::vector<std::string_view>& pos) {
    const Sentence sentence = span_of(tokens, pos, 0, tokens.size());
    return features::span_head(sentence, pos.empty() ? nullptr : &sentence.columns[0]);
  };
  EXPECT_EQ(head({"my", "wife"}, {"PRP$", "NN"}), 1u);
  EXPECT_EQ(head({"the", "old", "man", "that", "left"}, {"DT", "JJ", "NN", "WDT", "VBD"}),
            2u);
  EXPECT_EQ(head({"it"}, {"PRP"}), 0u);
  EXPECT_EQ(head({"running", "water"}, {"VBG", "NN"}), 1u);
  EXPECT_EQ(head({"the", "poor"}, {"DT", "JJ"}), 1u);
  EXPECT_EQ(head({"University", "of", "Portsmouth"}, {}), 0u);
  EXPECT_EQ(head({"the", "green", "house"}, {}), 2u);
}

TEST(Spans, LongSpansAreAlike) {
  const Sentence sentence = span_of({"a", "b", "c", "d", "e", "f", "g", "h"}, {}, 0, 8);
  EXPECT_THAT(extracted("length", sentence)[0], ElementsAre("length=6+"));
}

TEST(Spans, TheBuiltInSet) {
  const Sentence sentence = span_of({"my", "wife"}, {"PRP$", "NN"}, 0, 2);
  EXPECT_THAT(extracted(std::string(builtin_features("mention-type")), sentence)[0],
              IsSupersetOf({"lower[head]=wife", "lower[first]=my", "pos[head]=NN"}));
}

}  // namespace
}  // namespace megadapt
