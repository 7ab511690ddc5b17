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

std::vector<OwnedRow> jsonl(const std::string& text) {
  return read_all(text, Format::jsonl);
}
std::string error(const std::string& text) { return error_of(text, Format::jsonl); }

TEST(Jsonl, ListsAndObjectsOfFeatures) {
  const auto rows = jsonl(R"({"label":"a","features":["f","two words","\u00e9"]}
{"features":{"f":1.5,"g":-2},"label":"b"}
{"label":"c","features":[]}
)");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].features,
              ElementsAre(Pair("f", 1), Pair("two words", 1), Pair("é", 1)));
  EXPECT_FALSE(rows[0].has_values);
  EXPECT_EQ(rows[1].label, "b");
  EXPECT_THAT(rows[1].features, ElementsAre(Pair("f", 1.5F), Pair("g", -2)));
  EXPECT_TRUE(rows[1].has_values);
  EXPECT_THAT(rows[2].features, IsEmpty());
}

TEST(Jsonl, LabelsWithProbabilities) {
  const auto rows = jsonl(R"({"label":{"pos":0.6,"neg":0.2},"features":["f"]}
{"label":{"b":3,"a":1},"features":["f"]}
{"features":["f"],"label":{"b":2,"a":2}}
{"label":{"pos":1,"neg":0},"features":["f"]}
{"label":"plain","features":["f"]}
)");
  ASSERT_THAT(rows, SizeIs(5));
  EXPECT_EQ(rows[0].label, "pos");
  EXPECT_THAT(rows[0].shares, ElementsAre(Pair("neg", testing::DoubleEq(0.25)),
                                          Pair("pos", testing::DoubleEq(0.75))));
  EXPECT_EQ(rows[1].label, "b");
  EXPECT_THAT(rows[1].shares, ElementsAre(Pair("a", 0.25), Pair("b", 0.75)));
  EXPECT_EQ(rows[2].label, "a");  // of equals, the first by name
  EXPECT_EQ(rows[3].label, "pos");
  EXPECT_THAT(rows[3].shares, IsEmpty());  // all mass on one label is that label
  EXPECT_EQ(rows[4].label, "plain");
  EXPECT_THAT(rows[4].shares, IsEmpty());
}

TEST(Jsonl, BadProbabilitiesOfLabels) {
  const auto label = [](const std::string& text) {
    return error("{\"features\":[\"f\"],\"label\":" + text + "}");
  };
  const std::string not_share = "is not a finite number of at least 0";
  EXPECT_THAT(label(R"({"a":-0.1,"b":1})"),
              AllOf(HasSubstr("data:1: the probability of the label 'a'"),
                    HasSubstr(not_share), HasSubstr(R"(fix: write "label": {"a": 0.8)")));
  EXPECT_THAT(label(R"({"a":"x"})"), HasSubstr(not_share));
  EXPECT_THAT(label(R"({"a":null})"), HasSubstr(not_share));
  EXPECT_THAT(label(R"({"a":[1]})"), HasSubstr(not_share));
  EXPECT_THAT(label(R"({"a":0,"b":0})"), HasSubstr("no label has a probability above 0"));
  EXPECT_THAT(label("{}"), HasSubstr("no label has a probability above 0"));
  EXPECT_THAT(label(R"({"a":1,"a":2})"), HasSubstr("the label 'a' occurs twice"));
  EXPECT_THAT(label(R"({"":1,"b":2})"), HasSubstr("a label has an empty name"));
  EXPECT_THAT(label(R"(["a"])"),
              AllOf(HasSubstr("\"label\" is an array"), HasSubstr("0.8")));
}

TEST(Jsonl, OptionalLabels) {
  const ReadOptions options{
      .format = Format::jsonl, .labelled = false, .labels_optional = true};
  const auto rows = read_all(R"({"label":"a","features":["f"]}
{"features":["f"]}
{"label":{"b":1,"c":2},"features":["f"]}
)",
                             options);
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[0].label, "a");
  EXPECT_EQ(rows[1].label, "");
  EXPECT_NE(rows[2].label, "");
}

TEST(Jsonl, ADomainFieldOfAnotherName) {
  const ReadOptions named{.columns = {.domain = "shop"}, .needs_columns = true};
  const auto rows =
      read_all(R"({"label":"a","features":["f"],"shop":"books","domain":"x"})", named);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].domain, "books");
  EXPECT_THAT(error_of(R"({"label":"a","features":["f"],"domain":"x"})", named),
              HasSubstr("data:1: no field is called \"shop\""));
  EXPECT_THAT(error_of(R"({"label":"a","features":["f"],"shop":[1]})", named),
              HasSubstr("\"shop\" is an array"));
}

TEST(Jsonl, FieldsOfOtherNames) {
  ReadOptions named{.columns = {.label = "stars",
                                .text = {"title", "body"},
                                .group = "user",
                                .id = "user",
                                .weight = "votes"},
                    .needs_columns = true};
  const std::string line =
      R"({"stars":5,"body":"Was fine","title":"Good","user":"u1","votes":3,"label":"x"})";
  const auto rows =
      read_all(line + "\n" + R"({"stars":5,"title":"Bad","text":"x"})", named);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, "5");
  EXPECT_EQ(rows[0].id, "u1");
  EXPECT_EQ(rows[0].group, "u1");
  EXPECT_EQ(rows[0].weight, 3);
  EXPECT_THAT(rows[0].names(), testing::UnorderedElementsAre("good", "was", "fine"));
  EXPECT_THAT(rows[1].names(), ElementsAre("bad"));
  EXPECT_THAT(error_of(R"({"label":"a","title":"x"})", named),
              HasSubstr("no field is called \"stars\""));
  EXPECT_THAT(error_of(R"({"stars":1,"text":"x"})", named),
              HasSubstr("no field is called \"title\" or \"body\""));
  named.needs_columns = false;
  EXPECT_THAT(read_all(R"({"label":"a","text":"Good"})", named).at(0).names(),
              ElementsAre("good"));
}

TEST(Jsonl, EveryField) {
  const auto rows = jsonl(
      R"({"id":"x7","group":"g","doc":"d","domain":"news","weight":0.5,"label":"a","features":[]})"
      "\n\n"
      R"({"doc":"d2","id":12,"label":3,"features":[],"weight":null,"other":{"features":[1,{}]}})");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].id, "x7");
  EXPECT_EQ(rows[0].group, "g");
  EXPECT_EQ(rows[0].domain, "news");
  EXPECT_EQ(rows[0].weight, 0.5);
  EXPECT_EQ(rows[1].group, "d2");
  EXPECT_EQ(rows[1].id, "12");
  EXPECT_EQ(rows[1].label, "3");
  EXPECT_EQ(rows[1].weight, 1);
  EXPECT_EQ(rows[1].line, 3U);
}

TEST(Jsonl, ANumberAsLabelKeepsItsText) {
  EXPECT_EQ(jsonl(R"({"label":-1,"features":[]})").at(0).label, "-1");
  EXPECT_EQ(jsonl(R"({"label":1.50,"features":[]})").at(0).label, "1.50");
}

TEST(Jsonl, TextInPlaceOfFeatures) {
  const auto rows = jsonl(R"({"label":"a","text":"Good, GOOD value!"}
{"label":"a","text":"unused","features":["f"]})");
  EXPECT_THAT(rows.at(0).names(), ElementsAre("good", "value"));
  EXPECT_THAT(rows.at(1).names(), ElementsAre("f"));
}

TEST(Jsonl, Unlabelled) {
  const auto rows = read_all(R"({"features":["f"]}
{"features":["g"],"label":"ignored"})",
                             {.format = Format::jsonl, .labelled = false});
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, "");
  EXPECT_EQ(rows[1].label, "");
  EXPECT_THAT(rows[1].names(), ElementsAre("g"));
}

TEST(Jsonl, MissingParts) {
  EXPECT_THAT(error("{\"label\":\"a\",\"features\":[]}\n{\"features\":[]}"),
              AllOf(StartsWith("data:2: no label"), HasSubstr("--no-labels")));
  EXPECT_THAT(error(R"({"label":"","features":[]})"), HasSubstr("no label"));
  EXPECT_THAT(error(R"({"label":null,"features":[]})"), HasSubstr("no label"));
  EXPECT_THAT(error(R"({"label":"a","tokens":["x"]})"), HasSubstr("neither"));
  EXPECT_THAT(error(R"({"label":"a","features":[""]})"), HasSubstr("empty name"));
  EXPECT_THAT(error(R"({"label":"a","features":{"":1}})"), HasSubstr("empty name"));
}

TEST(Jsonl, WrongTypes) {
  EXPECT_THAT(error(R"({"label":true,"features":[]})"),
              HasSubstr("\"label\" is true or false"));
  EXPECT_THAT(error(R"({"label":["a"],"features":[]})"),
              HasSubstr("\"label\" is an array"));
  EXPECT_THAT(error(R"({"label":"a","features":"f g"})"),
              HasSubstr("\"features\" is a string"));
  EXPECT_THAT(error(R"({"label":"a","features":[1]})"), HasSubstr("not a string"));
  EXPECT_THAT(error(R"({"label":"a","features":[null]})"), HasSubstr("not a string"));
  EXPECT_THAT(error(R"({"label":"a","features":[["f"]]})"), HasSubstr("not a string"));
  EXPECT_THAT(error(R"({"label":"a","features":{"f":"1"}})"),
              HasSubstr("feature 'f' has no number"));
  EXPECT_THAT(error(R"({"label":"a","features":{"f":{}}})"), HasSubstr("has no number"));
  EXPECT_THAT(error(R"({"label":"a","text":5})"), HasSubstr("\"text\" is a number"));
  EXPECT_THAT(error(R"({"label":"a","features":[],"weight":"2"})"),
              HasSubstr("\"weight\" is a string"));
  EXPECT_THAT(error(R"({"label":"a","features":[],"id":{}})"),
              HasSubstr("\"id\" is an object"));
  EXPECT_THAT(error("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error("7"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error("null"), HasSubstr("not a JSON object"));
}

TEST(Jsonl, BadNumbers) {
  EXPECT_THAT(error(R"({"label":"a","features":{"f":NaN}})"), HasSubstr("not valid JSON"));
  EXPECT_THAT(error(R"({"label":"a","features":{"f":1e400}})"), HasSubstr("too large"));
  EXPECT_THAT(error(R"({"label":"a","features":{"f":1e39}})"),
              HasSubstr("the value '1e39' of feature 'f' is too large"));
  EXPECT_THAT(error(R"({"label":"a","features":[],"weight":-2})"),
              HasSubstr("the weight '-2' is negative"));
  EXPECT_THAT(error(R"({"label":"a","features":[],"weight":1e400})"),
              HasSubstr("too large"));
}

TEST(Jsonl, Syntax) {
  EXPECT_THAT(error("{\"label\":\"a\",\"features\":[]}\n{\"label\":"),
              StartsWith("data:2: not valid JSON at byte"));
  EXPECT_THAT(error(R"({"label":"a","features":[]} {"label":"b","features":[]})"),
              HasSubstr("one JSON object per line"));
  EXPECT_THAT(error(R"({"label":"a","label":"b","features":[]})"),
              HasSubstr("\"label\" occurs twice"));
  EXPECT_THAT(error(R"({"label":"a\tb","features":[]})"), HasSubstr("control character"));
}

}  // namespace
}  // namespace megadapt::corpus
