#include "sentences/read_sentences.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;

TEST(JsonSentences, ReadsASpan) {
  const auto all = sentences_of(
      R"({"id":"s1","doc":"d","tokens":["the","\u00e9tat"],"pos":["DT","_"],"start":1,"end":1,"label":"place"})"
      "\n",
      {.spans = true});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].is_span);
  EXPECT_EQ(all[0].span_begin, 1u);
  EXPECT_EQ(all[0].span_end, 2u);
  EXPECT_THAT(strings(all[0].tokens), ElementsAre("the", "état"));
  EXPECT_THAT(strings(all[0].columns[0]), ElementsAre("DT", ""));
  EXPECT_THAT(strings(all[0].tags), ElementsAre("place"));
  EXPECT_EQ(all[0].document, "d");
  EXPECT_EQ(all[0].id, "s1");
}

TEST(JsonSentences, TheNewMemberComesLast) {
  const std::string line =
      "{\"tokens\": [\"a\"], \"start\": 0, \"end\": 0, \"note\": {\"x\": 1} } \r\n";
  const auto all = sentences_of(line, {.labelled = false, .spans = true});
  std::string out;
  append_tagged(all[0], SentenceFormat::jsonl, {"a \"b\""}, out);
  EXPECT_EQ(out,
            "{\"tokens\": [\"a\"], \"start\": 0, \"end\": 0, \"note\": {\"x\": 1} "
            ",\"predicted\":\"a \\\"b\\\"\"} \r\n");
}

TEST(JsonSentences, SentencesWithTags) {
  const auto all = sentences_of("{\"tokens\":[\"a\",\"b\"],\"tags\":[\"X\",\"Y\"]}\n");
  EXPECT_FALSE(all[0].is_span);
  EXPECT_THAT(strings(all[0].tags), ElementsAre("X", "Y"));
  std::string out;
  append_tagged(all[0], SentenceFormat::jsonl, {"Y", "X"}, out);
  EXPECT_EQ(
      out,
      "{\"tokens\":[\"a\",\"b\"],\"tags\":[\"X\",\"Y\"],\"predicted\":[\"Y\",\"X\"]}\n");
}

}  // namespace
}  // namespace megadapt
