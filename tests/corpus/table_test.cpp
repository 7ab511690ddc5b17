#include "corpus/read_all.hpp"

namespace megadapt::corpus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::vector<OwnedRow> csv(const std::string& text) { return read_all(text, Format::csv); }
std::string csv_error(const std::string& text) { return error_of(text, Format::csv); }

TEST(Csv, LabelAndText) {
  const auto rows = csv("label,text\npos,Good value\nneg,\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, "pos");
  EXPECT_THAT(rows[0].names(), ElementsAre("good", "value"));
  EXPECT_FALSE(rows[0].has_values);
  EXPECT_EQ(rows[0].line, 2U);
  EXPECT_THAT(rows[1].features, IsEmpty());
}

TEST(Csv, EveryColumnInAnyOrderAndCase) {
  const auto rows =
      csv("Doc,Weight, ID ,unknown,Text,domain,LABEL\n"
          "d1,2.5,r1,x,word,news,a\n"
          "d2,,r2,x,word,,b\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].group, "d1");
  EXPECT_EQ(rows[0].weight, 2.5);
  EXPECT_EQ(rows[0].id, "r1");
  EXPECT_EQ(rows[0].domain, "news");
  EXPECT_EQ(rows[0].label, "a");
  EXPECT_EQ(rows[1].weight, 1);
  EXPECT_EQ(rows[1].domain, "");
}

TEST(Csv, ADomainColumnOfAnotherName) {
  const ReadOptions named{.columns = {.domain = "shop"}, .needs_columns = true};
  const auto rows = read_all("label,text,shop,domain\na,w,books,x\nb,w,,x\n", named);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].domain, "books");
  EXPECT_EQ(rows[1].domain, "");
  EXPECT_THAT(error_of("label,text,shops\na,w,books\n", named),
              AllOf(HasSubstr("no column is called 'shop'; found: label, text, shops"),
                    HasSubstr("fix: did you mean 'shops'?")));
  EXPECT_THAT(error_of("a x y\nb z\n", named),
              HasSubstr("rows of the format megam have no column 'shop'"));
  // New rows for a model need not have the column.
  EXPECT_THAT(read_all("label,text\na,w\n", ReadOptions{.columns = {.domain = "shop"}}),
              SizeIs(1));
}

TEST(Csv, ColumnsOfOtherNames) {
  const ReadOptions named{.columns = {.label = "stars",
                                      .text = {"Title", "body"},
                                      .group = "user",
                                      .id = "user",
                                      .weight = "votes"},
                          .needs_columns = true};
  const auto rows = read_all(
      "user,votes,body,Title,stars,label,text,id\nu1,3,Was fine,Good,5,x,y,z\n", named);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].label, "5");
  EXPECT_EQ(rows[0].group, "u1");
  EXPECT_EQ(rows[0].id, "u1");
  EXPECT_EQ(rows[0].weight, 3);
  EXPECT_THAT(rows[0].names(), testing::UnorderedElementsAre("good", "was", "fine"));
  EXPECT_THAT(
      error_of("user,votes,body,Titel,stars\nu1,3,a,b,5\n", named),
      AllOf(HasSubstr("no column is called 'Title'; found: user, votes, body, Titel"),
            HasSubstr("fix: did you mean 'Titel'?")));
}

// Words of several columns may form n-grams, as if the texts stood on one line.
TEST(Csv, TextOfSeveralColumnsIsJoinedByASpace) {
  const ReadOptions named{.text = {.word_ngrams = 2}, .columns = {.text = {"a", "b"}}};
  EXPECT_THAT(read_all("label,a,b\nx,big,dog\n", named).at(0).names(),
              testing::UnorderedElementsAre("big", "big_dog", "dog"));
}

// Rows for a model may have the usual names instead of those of the training files.
TEST(Csv, WithoutTheChosenColumnTheUsualOneServes) {
  const ReadOptions named{.columns = {.label = "stars", .text = {"review"}}};
  EXPECT_EQ(read_all("text,label\nGood,5\n", named).at(0).label, "5");
  EXPECT_EQ(read_all("review,stars,label\nGood,5,1\n", named).at(0).label, "5");
  const ReadOptions two{.columns = {.text = {"title", "body"}}};
  EXPECT_THAT(error_of("title,label\nGood,5\n", two),
              HasSubstr("no column is called 'body'"));
}

TEST(Csv, GroupGoesBeforeDoc) {
  EXPECT_EQ(csv("label,text,doc,group\na,w,d,g\n").at(0).group, "g");
}

TEST(Csv, QuotedFields) {
  const auto rows =
      csv("\"label\",\"text\"\r\n"
          "\"a, b\",\"one, \"\"two\"\"\r\nthree\"\r\n"
          "c,\"\"\r\n");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, "a, b");
  EXPECT_THAT(rows[0].names(), ElementsAre("one", "three", "two"));
  EXPECT_EQ(rows[0].line, 2U);
  EXPECT_EQ(rows[1].line, 4U);
  EXPECT_THAT(rows[1].features, IsEmpty());
}

TEST(Csv, BlankLinesAreSkipped) { EXPECT_THAT(csv("\nlabel,text\n\na,b\n\n"), SizeIs(1)); }

TEST(Csv, Unlabelled) {
  const ReadOptions options{.format = Format::csv, .labelled = false};
  const auto rows = read_all("text\none\n\ntwo\n", options);
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].names(), ElementsAre("one"));
  EXPECT_THAT(rows[1].features, IsEmpty());
  EXPECT_EQ(read_all("label,text\n,one\n", options).at(0).label, "");
}

TEST(Csv, MissingColumnsAreNamedWithThoseFound) {
  EXPECT_THAT(csv_error("id,text,sentiment\n1,a,b\n"),
              AllOf(StartsWith("data:1: no column is called 'label'; found: id, text, "
                               "sentiment\n"),
                    HasSubstr("fix: add --label-column sentiment; rows without labels")));
  EXPECT_THAT(csv_error("label,review\na,b\n"), HasSubstr("no column is called 'text'"));
}

TEST(Csv, ANameThatIsNeededOccursOnce) {
  EXPECT_THAT(csv_error("label,text,Text\na,b,c\n"),
              AllOf(StartsWith("data:1: two columns are called 'text'\n"),
                    HasSubstr("fix: give each column a name of its own")));
  EXPECT_THAT(csv_error("id,label,text,id\n1,a,b,2\n"), HasSubstr("two columns"));
  EXPECT_EQ(csv_error("label,text,,\na,b,,\n"), "") << "names that nothing looks for";
}

TEST(Csv, RaggedRows) {
  EXPECT_THAT(csv_error("label,text\na,b\na,b,c\n"),
              StartsWith("data:3: 3 fields, but the header has 2\n  3 | a,b,c\n"));
  EXPECT_THAT(csv_error("label,text\na\n"), StartsWith("data:2: 1 fields"));
}

TEST(Csv, QuoteMistakes) {
  EXPECT_THAT(csv_error("label,text\na,\"open\nb,c\nd,e\n"),
              AllOf(StartsWith("data:2: a quote that opens here is not closed\n"),
                    HasSubstr("  2 | a,\"open")));
  EXPECT_THAT(csv_error("label,text\na,\"x\" y\n"), HasSubstr("closing quote"));
}

TEST(Csv, BadLabelsAndWeights) {
  EXPECT_THAT(csv_error("label,text\n,words\n"),
              AllOf(StartsWith("data:2: no label"), HasSubstr("--no-labels")));
  EXPECT_THAT(csv_error("label,text\n\"a\nb\",words\n"), HasSubstr("control character"));
  EXPECT_THAT(csv_error("label,text,weight\na,b,-1\n"), HasSubstr("is negative"));
  EXPECT_THAT(csv_error("label,text,weight\na,b,heavy\n"), HasSubstr("is not a number"));
}

TEST(Csv, AHeaderAloneHasNoRows) {
  EXPECT_THAT(csv_error("label,text\n"), StartsWith("data: has no rows"));
  EXPECT_THAT(csv_error("\n\n"), StartsWith("data: has no rows"));
}

TEST(Tsv, NoQuoting) {
  const auto rows = read_all("label\ttext\na\tsay \"yes\", ok\nb\t\"open\n", Format::tsv);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].names(), ElementsAre("ok", "say", "yes"));
  EXPECT_THAT(rows[1].names(), ElementsAre("open"));
  EXPECT_THAT(error_of("label\ttext\na\tb\tc\n", Format::tsv), HasSubstr("3 fields"));
}

TEST(Table, TextOptionsAreUsed) {
  const auto rows =
      read_all("label,text\na,Big dog\n",
               {.format = Format::csv,
                .text = {.word_ngrams = 2, .char_ngrams = 0, .lower_case = false}});
  EXPECT_THAT(rows.at(0).names(), ElementsAre("Big", "Big_dog", "dog"));
}

}  // namespace
}  // namespace megadapt::corpus
