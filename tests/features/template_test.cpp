#include "features/extracted.hpp"
#include "features/features.hpp"

namespace megadapt {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string template_problem(const std::string& text, bool spans = false) {
  try {
    FeatureTemplate::parse(text, "t",
                           {.columns = {"pos"}, .gazetteers = {"city"}, .spans = spans});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Template, CommentsRangesAndRepetitions) {
  const auto rows =
      extracted("# all of it\n  w[-1..0]\tw # again\r\n\nw[+1]\n", sentence_of({"a", "b"}));
  EXPECT_THAT(rows[0], ElementsAre("w[-1]=<s>", "w=a", "w[1]=b"));
}

TEST(Template, RangesInConjunctionsExpandToAllPairs) {
  const auto rows = extracted("w[0..1]|pos[0..1]", sentence_of({"a", "b"}, {"X", "Y"}));
  EXPECT_THAT(rows[0],
              ElementsAre("w|pos=a|X", "w|pos[1]=a|Y", "w[1]|pos=b|X", "w[1]|pos[1]=b|Y"));
}

TEST(Template, ErrorsNameLineAndColumn) {
  EXPECT_THAT(
      template_problem("w\nw[-1] chunk"),
      AllOf(StartsWith("t:2: column 7: neither a feature nor a column of the input is "
                       "called 'chunk'"),
            HasSubstr("the columns are: pos")));
  EXPECT_THAT(template_problem("w sufix3"), HasSubstr("column 3"));
  EXPECT_THAT(template_problem("lowr"), HasSubstr("did you mean 'lower'?"));
  EXPECT_THAT(template_problem("w[1"), StartsWith("t:1: column 4: ']' is missing"));
  EXPECT_THAT(template_problem("w[]"), StartsWith("t:1: column 3: no offset"));
  EXPECT_THAT(template_problem("w[99]"), StartsWith("t:1: column 3: no offset"));
  EXPECT_THAT(template_problem("w[2..1]"), HasSubstr("from left to right"));
  EXPECT_THAT(template_problem("w|"), HasSubstr("column 3: a name is missing"));
  EXPECT_THAT(template_problem("w||pos"), HasSubstr("column 3: '|' where a name"));
  EXPECT_THAT(template_problem("w,pos"), HasSubstr("column 2: ',' where '|' or a space"));
  EXPECT_THAT(template_problem("gaz.towns"), HasSubstr("no gazetteer is called 'towns'"));
  EXPECT_THAT(template_problem("w[head]"),
              HasSubstr("'head' is not a position in a token"));
  EXPECT_THAT(template_problem("w[hed]", true),
              HasSubstr("'hed' is not a position in a span"));
  EXPECT_THAT(template_problem("w[all+1]", true), HasSubstr("[all] has no offset"));
  EXPECT_THAT(template_problem("tag[-2]"), HasSubstr("write tag[-1]"));
  EXPECT_THAT(template_problem("tag"), HasSubstr("write tag[-1]"));
  EXPECT_THAT(template_problem("tag[-1]", true), HasSubstr("spans have no previous tag"));
  EXPECT_THAT(template_problem("length"), HasSubstr("only spans have a length"));
  EXPECT_THAT(template_problem("# nothing\n"), StartsWith("t: holds no features"));
  EXPECT_THAT(template_problem("w[-50..50]|w[-50..50]"),
              HasSubstr("more than 1000 features"));
}

TEST(Template, NamesOfGazetteersArePlain) {
  EXPECT_THROW(FeatureTemplate::parse("w", "t", {.gazetteers = {"a|b"}}), UsageError);
}

}  // namespace
}  // namespace megadapt
