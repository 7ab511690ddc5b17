#include "features/extracted.hpp"
#include "features/features.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Extract, WordsAndTheirNeighbours) {
  const auto rows =
      extracted("w lower w[-1..1] lower[2]", sentence_of({"The", "Dogs", "ran"}));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0],
              ElementsAre("w=The", "lower=the", "w[-1]=<s>", "w[1]=Dogs", "lower[2]=ran"));
  EXPECT_THAT(rows[1], ElementsAre("w=Dogs", "lower=dogs", "w[-1]=The", "w[1]=ran",
                                   "lower[2]=</s>"));
  EXPECT_THAT(rows[2], ElementsAre("w=ran", "lower=ran", "w[-1]=Dogs", "w[1]=</s>"));
}

TEST(Extract, PartsOfWords) {
  const auto rows = extracted("stem pre1 pre4 suf1 suf3 shape caps kind",
                              sentence_of({"Running", "I", "3-D"}));
  EXPECT_THAT(rows[0], ElementsAre("stem=run", "pre1=r", "pre4=runn", "suf1=g", "suf3=ing",
                                   "shape=Xxxxx", "caps=Capitalized", "kind=alpha"));
  EXPECT_THAT(rows[1], ElementsAre("stem=i", "shape=X", "caps=Capitalized", "kind=alpha"));
  EXPECT_THAT(rows[2], ElementsAre("stem=3-d", "pre1=3", "suf1=d", "shape=d-X",
                                   "caps=AllUpper", "kind=alpha+digit+punct"));
}

TEST(Extract, AnUnknownColumnMakesNoFeature) {
  const auto rows =
      extracted("pos pos[-1] pos[-1]|pos", sentence_of({"a", "b", "c"}, {"DT", "", "NN"}));
  EXPECT_THAT(rows[0], ElementsAre("pos=DT"));
  EXPECT_THAT(rows[1], ElementsAre("pos[-1]=DT"));
  EXPECT_THAT(rows[2], ElementsAre("pos=NN"));
}

TEST(Extract, ConjunctionsAndTags) {
  const auto rows = extracted("lower[-1]|lower tag[-1] tag[-1]|lower|suf1 edge",
                              sentence_of({"A", "bee"}));
  EXPECT_THAT(rows[0], ElementsAre("lower[-1]|lower=<s>|a", "edge=first", "tag[-1]=?"));
  EXPECT_THAT(rows[1], ElementsAre("lower[-1]|lower=a|bee", "edge=last", "tag[-1]=?",
                                   "tag[-1]|lower|suf1=?|bee|e"));
  EXPECT_THAT(extracted("edge", sentence_of({"a"}))[0], ElementsAre("edge=only"));
}

// `a|b` next to `c` and `a` next to `b|c` must not share a name.
TEST(Extract, NamesAreUnambiguousAndHoldNoSpace) {
  const auto one = extracted("w[-1]|w", sentence_of({"a|b", "c"}));
  const auto two = extracted("w[-1]|w", sentence_of({"a", "b|c"}));
  EXPECT_THAT(one[1], ElementsAre("w[-1]|w=a\\|b|c"));
  EXPECT_THAT(two[1], ElementsAre("w[-1]|w=a|b\\|c"));
  EXPECT_THAT(extracted("w", sentence_of({"New York\\\t"}))[0],
              ElementsAre("w=New\\sYork\\\\\\x09"));
}

TEST(Extract, NeverSplitsACharacter) {
  // e + combining acute; a family joined by ZWJ; Hebrew with points.
  const auto rows =
      extracted("suf1 pre1 suf2", sentence_of({"cafe\u0301", "x👩‍👧y", "שָׁלוֹם"}));
  EXPECT_THAT(rows[0], ElementsAre("suf1=e\u0301", "pre1=c", "suf2=fe\u0301"));
  EXPECT_THAT(rows[1], ElementsAre("suf1=y", "pre1=x", "suf2=👩‍👧y"));
  EXPECT_THAT(rows[2], ElementsAre("suf1=ם", "pre1=שָׁ", "suf2=וֹם"));
}

TEST(Extract, StemsInOtherLanguages) {
  EXPECT_THAT(extracted("stem", sentence_of({"Häuser"}), {}, "german")[0],
              ElementsAre("stem=haus"));
  EXPECT_THAT(extracted("stem", sentence_of({"Häuser"}), {}, "none")[0],
              ElementsAre("stem=häuser"));
  EXPECT_THROW(extracted("stem", sentence_of({"a"}), {}, "klingon"), UsageError);
}

TEST(Extract, BuiltInSetsOfTokens) {
  for (const char* set : {"pos", "mention", "recap", "chunk"}) {
    const auto rows = extracted(std::string(builtin_features(set)),
                                sentence_of({"Dogs", "bark"}, {"NNS", "VBP"}));
    EXPECT_EQ(rows.size(), 2u);
    EXPECT_THAT(rows[0], testing::Contains("tag[-1]=?")) << set;
  }
  EXPECT_THROW(builtin_features("poss"), UsageError);
}

TEST(Extract, AnEmptySentenceHasNoRows) {
  EXPECT_THAT(extracted("w", sentence_of({})), IsEmpty());
}

}  // namespace
}  // namespace megadapt
