#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/read_all.hpp"
#include "corpus/temp_file.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LabelMap map_of(const std::string& text) {
  return LabelMap::read(corpus::TempFile(text).path());
}

std::string mapped(LabelMap& map, std::string_view domain, std::string_view label) {
  return map.apply(domain, label) ? std::string(label) : "(dropped)";
}

TEST(LabelMapRules, ADomainsOwnRuleGoesFirst) {
  LabelMap map = map_of("pos\tgood\nnews\tpos\tgreat\nnews\tneutral\t-\n");
  EXPECT_EQ(mapped(map, "news", "pos"), "great");
  EXPECT_EQ(mapped(map, "calls", "pos"), "good");
  EXPECT_EQ(mapped(map, "", "pos"), "good");
  EXPECT_EQ(mapped(map, "news", "neutral"), "(dropped)");
  EXPECT_EQ(mapped(map, "calls", "neutral"), "neutral");
  EXPECT_EQ(map.dropped(), 1u);
}

TEST(LabelMapRules, NewNamesAreNotMappedAgain) {
  LabelMap map = map_of("a\tb\nb\ta\n");
  EXPECT_EQ(mapped(map, "d", "a"), "b");
  EXPECT_EQ(mapped(map, "d", "b"), "a");
}

TEST(LabelMapRules, CommentsBlankLinesAndRepeatedRulesAreFine) {
  LabelMap map = map_of("# old new\n\n#\thash\r\na\tb\na\tb\n");
  EXPECT_EQ(mapped(map, "d", "#"), "hash");
  EXPECT_EQ(mapped(map, "d", "a"), "b");
  EXPECT_TRUE(map.unused().empty());
}

TEST(LabelMapRules, UnusedOnesAreListedByLine) {
  LabelMap map = map_of("z\ty\nnews\tb\tc\na\tx\ncalls\ta\tw\n");
  std::string_view label = "a";
  map.apply("calls", label);
  std::vector<std::size_t> lines, lines_of_read;
  for (const auto& rule : map.unused()) lines.push_back(rule.line);
  for (const auto& rule : map.unused(true)) lines_of_read.push_back(rule.line);
  EXPECT_THAT(lines, ElementsAre(1, 2));
  EXPECT_THAT(lines_of_read, ElementsAre(1)) << "no row of news was read";
}

TEST(LabelMapRules, ErrorsNameTheLine) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      map_of(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(problem("a\tb\nonly one\n"), HasSubstr(":2: 1 field between tabs"));
  EXPECT_THAT(problem("a\tb\tc\td\n"), HasSubstr(":1: 4 fields between tabs"));
  EXPECT_THAT(problem("a\t\n"), HasSubstr(":1: a field is empty"));
  EXPECT_THAT(problem("a\tb\n\na\tc\n"),
              HasSubstr(":3: line 1 gives the label 'a' another"));
  EXPECT_THAT(problem("# nothing\n"), HasSubstr("has no rule"));
  EXPECT_THAT(problem("a\tb\xff\n"), HasSubstr("UTF-8"));
}

TEST(LabelMapRules, AReaderSkipsDroppedRowsAndKeepsLineNumbers) {
  LabelMap map = map_of("bad\t-\nin\tgood\tfine\n");
  const corpus::TempFile rows("good\tx\nbad\ty\nother\tz\n");
  const auto reader = open_rows(rows.path(), {.label_map = &map, .domain = "in"});
  std::vector<std::string> labels;
  std::vector<std::size_t> lines;
  for (Row row; reader->next(row);) {
    labels.emplace_back(row.label);
    lines.push_back(row.line);
  }
  EXPECT_THAT(labels, ElementsAre("fine", "other"));
  EXPECT_THAT(lines, ElementsAre(1, 3));
}

TEST(LabelMap, RenamesLabelsWithProbabilities) {
  LabelMap map({{"", "good", "pos", 1}, {"", "fine", "pos", 2}, {"", "odd", "", 3}});
  const corpus::TempFile file(
      R"({"label":{"good":0.25,"fine":0.25,"bad":0.5},"features":["f"]}
{"label":{"good":0.25,"odd":0.5,"bad":0.25},"features":["f"]}
{"label":{"good":0.5,"fine":0.5},"features":["f"]}
{"label":{"odd":1},"features":["f"]}
)");
  const auto reader = open_rows(file.path(), {.label_map = &map});
  const auto rows = corpus::drain(*reader);
  ASSERT_EQ(rows.size(), 3u);
  const std::vector<std::pair<std::string, double>> half{{"bad", 0.5}, {"pos", 0.5}};
  EXPECT_EQ(rows[0].shares, half);
  EXPECT_EQ(rows[1].shares, half);
  EXPECT_TRUE(rows[2].shares.empty());
  EXPECT_EQ(rows[2].label, "pos");
  EXPECT_EQ(map.dropped(), 1u);
}

}  // namespace
}  // namespace megadapt
