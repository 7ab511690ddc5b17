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

std::vector<OwnedRow> megam(const std::string& text) {
  return read_all(text, Format::megam);
}

TEST(Megam, LabelThenFeaturesBetweenTabsOrSpaces) {
  const auto rows = megam("pos\tgood fine\nneg bad\tpoor\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, "pos");
  EXPECT_THAT(rows[0].features, ElementsAre(Pair("good", 1), Pair("fine", 1)));
  EXPECT_FALSE(rows[0].has_values);
  EXPECT_EQ(rows[0].weight, 1);
  EXPECT_EQ(rows[0].line, 1U);
  EXPECT_EQ(rows[1].label, "neg");
  EXPECT_THAT(rows[1].names(), ElementsAre("bad", "poor"));
  EXPECT_EQ(rows[1].line, 2U);
}

TEST(Megam, RunsOfSeparatorsCountAsOne) {
  EXPECT_THAT(megam("a \t b  c\t\td \t\n").at(0).names(), ElementsAre("b", "c", "d"));
}

TEST(Megam, RowsNeedNoFeatures) {
  const auto rows = megam("a\nb\t\nc f\n");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].features, IsEmpty());
  EXPECT_THAT(rows[1].features, IsEmpty());
  EXPECT_THAT(rows[2].features, SizeIs(1));
}

TEST(Megam, BlankLinesAreSkippedButCounted) {
  const auto rows = megam("\na f\n \t\n\nb g\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].line, 2U);
  EXPECT_EQ(rows[1].line, 5U);
}

TEST(Megam, LinesThatBeginWithAHashAreComments) {
  const auto rows = megam("# made on Monday\n#a f\n#\nb # f#1 #2\n#\tw=#\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, "b");
  EXPECT_THAT(rows[0].names(), ElementsAre("#", "f#1", "#2"));
  EXPECT_EQ(rows[1].label, "#");
  EXPECT_THAT(rows[1].names(), ElementsAre("w=#"));
}

TEST(Megam, WeightFollowsTheLabel) {
  const auto rows = megam("a $$$WEIGHT 2.5\tf g\nb\t$$$WEIGHT +0\nc f $$$WEIGHT 3\n");
  EXPECT_EQ(rows.at(0).weight, 2.5);
  EXPECT_THAT(rows.at(0).names(), ElementsAre("f", "g"));
  EXPECT_EQ(rows.at(1).weight, 0);
  EXPECT_EQ(rows.at(2).weight, 1);
  EXPECT_THAT(rows.at(2).names(), ElementsAre("f", "$$$WEIGHT", "3"));
}

TEST(Megam, DollarsAreAnOrdinaryWord) {
  EXPECT_THAT(megam("neg $$$ $$$expensive\n").at(0).names(),
              ElementsAre("$$$", "$$$expensive"));
}

TEST(Megam, BadWeightsAreRefused) {
  EXPECT_THAT(error_of("a f\nb $$$WEIGHT -1 g\n", Format::megam),
              AllOf(StartsWith("data:2: the weight '-1' is negative\n"),
                    HasSubstr("  2 | b $$$WEIGHT -1 g"), HasSubstr("fix: ")));
  EXPECT_THAT(error_of("a $$$WEIGHT inf f\n", Format::megam), HasSubstr("is not finite"));
  EXPECT_THAT(error_of("a $$$WEIGHT nan f\n", Format::megam), HasSubstr("is not finite"));
  EXPECT_THAT(error_of("a $$$WEIGHT 1e400 f\n", Format::megam), HasSubstr("is too large"));
  EXPECT_THAT(error_of("a $$$WEIGHT x f\n", Format::megam), HasSubstr("is not a number"));
  EXPECT_THAT(error_of("a $$$WEIGHT\n", Format::megam), HasSubstr("without a number"));
}

TEST(Megam, MissingLabelNamesThePlaceAndTheRemedy) {
  EXPECT_EQ(error_of("a f\n\tw=bank suf=nk\n", Format::megam),
            "data:2: no label at the start of the line\n"
            "  2 | <TAB>w=bank suf=nk\n"
            "fix: write LABEL<TAB>FEATURE FEATURE ...; rows without labels can only be "
            "predicted, by 'megadapt predict --no-labels'");
  EXPECT_THAT(error_of(" f g\n", Format::megam), HasSubstr("no label"));
}

TEST(Megam, MarksOfOtherSetsAndDomainsAreRefused) {
  EXPECT_THAT(error_of("a f\nDEV\nb g\n", Format::megam),
              StartsWith("data:2: 'DEV' alone"));
  EXPECT_THAT(error_of("a f\nTEST\nb g\n", Format::megam), HasSubstr("another set"));
  EXPECT_THAT(error_of("a $$$OUTOFDOMAIN f\n", Format::megam), HasSubstr("--domain"));
  EXPECT_THAT(error_of("a $$$TASK 1 f\n", Format::megam), HasSubstr("$$$TASK"));
  EXPECT_THAT(megam("DEV f\n"), SizeIs(1));
}

TEST(Megam, UnlabelledEveryLineIsARow) {
  const auto rows = read_all("good fine\n\n#1 $$$\n$$$WEIGHT 2 f\n",
                             {.format = Format::megam, .labelled = false});
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[0].label, "");
  EXPECT_THAT(rows[0].names(), ElementsAre("good", "fine"));
  EXPECT_THAT(rows[1].features, IsEmpty());
  EXPECT_THAT(rows[2].names(), ElementsAre("#1", "$$$"));
  EXPECT_EQ(rows[3].weight, 2);
  EXPECT_THAT(rows[3].names(), ElementsAre("f"));
}

TEST(MegamFvals, FeaturesAlternateWithValues) {
  const auto rows =
      read_all("a f 1 g -2.5\nb $$$WEIGHT 3 h +1e-3\nc\n", Format::megam_fvals);
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_TRUE(rows[0].has_values);
  EXPECT_THAT(rows[0].features, ElementsAre(Pair("f", 1), Pair("g", -2.5F)));
  EXPECT_EQ(rows[1].weight, 3);
  EXPECT_THAT(rows[1].features, ElementsAre(Pair("h", 1e-3F)));
  EXPECT_THAT(rows[2].features, IsEmpty());
}

TEST(MegamFvals, BadValuesAreRefused) {
  const auto error = [](const std::string& text) {
    return error_of(text, Format::megam_fvals);
  };
  EXPECT_THAT(error("a f 1\na f\n"), StartsWith("data:2: feature 'f' has no value"));
  EXPECT_THAT(error("a f nan\n"),
              HasSubstr("the value 'nan' of feature 'f' is not finite"));
  EXPECT_THAT(error("a f inf\n"), HasSubstr("is not finite"));
  EXPECT_THAT(error("a f 1e400\n"), HasSubstr("is too large"));
  EXPECT_THAT(error("a f 1e39\n"), HasSubstr("is too large"));
  EXPECT_THAT(error("a f one\n"), HasSubstr("is not a number"));
}

TEST(Megam, ARowThatIsReusedKeepsNothingOfOtherFormats) {
  Row row;
  reader_of(R"({"label":"a","features":{"f":7,"g":8},"id":"x","group":"g","domain":"d",)"
            R"("weight":4})",
            {.format = Format::jsonl})
      ->next(row);
  EXPECT_EQ(row.weight, 4);
  const auto reader = reader_of("b h\n", {.format = Format::megam});
  ASSERT_TRUE(reader->next(row));
  const OwnedRow read(row);
  EXPECT_THAT(read.features, ElementsAre(Pair("h", 1)));
  EXPECT_FALSE(read.has_values);
  EXPECT_EQ(read.weight, 1);
  EXPECT_EQ(read.id + read.group + read.domain, "");
}

TEST(Megam, OptionalLabelsEndAtATab) {
  const ReadOptions options{
      .format = Format::megam, .labelled = false, .labels_optional = true};
  const auto rows = read_all("pos\tgood film\ngood film\nodd word\tx\n", options);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].label, "pos");
  EXPECT_EQ(rows[0].names(), (std::vector<std::string>{"good", "film"}));
  EXPECT_EQ(rows[1].label, "");
  EXPECT_EQ(rows[1].names(), (std::vector<std::string>{"good", "film"}));
  EXPECT_EQ(rows[2].label, "");
  EXPECT_EQ(rows[2].names().size(), 3u);
}

}  // namespace
}  // namespace megadapt::corpus
