#include "corpus/read_all.hpp"

namespace megadapt::corpus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

std::vector<OwnedRow> libsvm(const std::string& text) {
  return read_all(text, Format::libsvm);
}

TEST(Libsvm, LabelsIndicesAndValues) {
  const auto rows = libsvm("+1 1:0.5 7:-2\n-1 3:1e-2\n17 \n2,5 4:+3\n");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[0].label, "+1");
  EXPECT_TRUE(rows[0].has_values);
  EXPECT_THAT(rows[0].features, ElementsAre(Pair("1", 0.5F), Pair("7", -2)));
  EXPECT_EQ(rows[1].label, "-1");
  EXPECT_THAT(rows[1].features, ElementsAre(Pair("3", 1e-2F)));
  EXPECT_EQ(rows[2].label, "17");
  EXPECT_THAT(rows[2].features, IsEmpty());
  EXPECT_EQ(rows[3].label, "2,5");
}

TEST(Libsvm, CommentsAndGroups) {
  const auto rows =
      libsvm("# SVMlight\n1 qid:12 1:2 #doc 7\n\n  # more\n2 qid:13 1:3 # x 5:6\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].group, "12");
  EXPECT_THAT(rows[0].features, ElementsAre(Pair("1", 2)));
  EXPECT_EQ(rows[1].group, "13");
  EXPECT_THAT(rows[1].features, ElementsAre(Pair("1", 3)));
}

TEST(Libsvm, AFeatureMayBeAnyTextBeforeTheLastColon) {
  EXPECT_THAT(libsvm("a http://x:2 w=b:1\n").at(0).features,
              ElementsAre(Pair("http://x", 2), Pair("w=b", 1)));
}

TEST(Libsvm, Unlabelled) {
  const auto rows =
      read_all("1:2 3:4\n\n5:6\n", {.format = Format::libsvm, .labelled = false});
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[0].label, "");
  EXPECT_THAT(rows[0].features, ElementsAre(Pair("1", 2), Pair("3", 4)));
  EXPECT_THAT(rows[1].features, IsEmpty());
  EXPECT_THAT(rows[2].features, ElementsAre(Pair("5", 6)));
}

TEST(Libsvm, Mistakes) {
  const auto error = [](const std::string& text) { return error_of(text, Format::libsvm); };
  EXPECT_THAT(error("1 1:1\n1:1 2:1\n"),
              AllOf(StartsWith("data:2: no label"), HasSubstr("--no-labels")));
  EXPECT_THAT(error(" 1:1\n"), HasSubstr("no label"));
  EXPECT_THAT(error("1 :1\n"), HasSubstr("':1' has no feature before the colon"));
  EXPECT_THAT(error("1 3\n"), HasSubstr("feature '3' has no value"));
  EXPECT_THAT(error("1 3:\n"), HasSubstr("feature '3:' has no value"));
  EXPECT_THAT(error("1 3:nan\n"),
              HasSubstr("the value 'nan' of feature '3' is not finite"));
  EXPECT_THAT(error("1 3:-inf\n"), HasSubstr("is not finite"));
  EXPECT_THAT(error("1 3:1e400\n"), HasSubstr("is too large"));
  EXPECT_THAT(error("1 3:1x\n"), HasSubstr("is not a number"));
}

}  // namespace
}  // namespace megadapt::corpus
