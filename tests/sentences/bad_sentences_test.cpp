#include "sentences/read_sentences.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(BadSentences, RaggedColumnsNameTheLine) {
  EXPECT_THAT(problem_of("a\tX\nb\tY\textra\n\n"),
              testing::AllOf(StartsWith("f:2: 3 columns, where the lines before have 2"),
                             HasSubstr("fix: give every token the same columns")));
  EXPECT_THAT(problem_of("a X\n\nb\n\nc Y\n", {.format = SentenceFormat::conll}),
              StartsWith("f:3: 1 columns"));
}

TEST(BadSentences, EmptyFields) {
  EXPECT_THAT(problem_of("\tX\n"), StartsWith("f:1: a token is empty"));
  EXPECT_THAT(problem_of("a\t\n"), StartsWith("f:1: a tag is empty"));
  EXPECT_THAT(problem_of("a\nb\n", {.format = SentenceFormat::conll}),
              StartsWith("f:1: there is only one column, so there is no tag"));
}

TEST(BadSentences, NothingToRead) {
  EXPECT_THAT(problem_of(""), StartsWith("f: is empty"));
  EXPECT_THAT(problem_of("\n\n# doc = x\n\n"), StartsWith("f: has no sentences"));
  EXPECT_EQ(problem_of("", {.labelled = false}), "");
}

TEST(BadSentences, InvalidUtf8) {
  EXPECT_THAT(problem_of("a\tX\n\xff\tX\n\n"),
              testing::AllOf(StartsWith("f:2: "), HasSubstr("not valid UTF-8")));
}

TEST(BadSentences, AColumnThatIsNotThere) {
  SentenceOptions options;
  options.columns = ColumnChoice::parse("token,pos,tag");
  EXPECT_THAT(problem_of("a\tX\n", options), StartsWith("f:1: no column 3 for 'tag'"));
  options.columns = ColumnChoice::parse("token,pos");
  EXPECT_THAT(problem_of("a\tX\n", options), HasSubstr("--columns names no 'tag'"));
}

TEST(BadSentences, ConlluNeedsTenColumns) {
  EXPECT_THAT(problem_of("1\ta\tX\n", {.format = SentenceFormat::conllu}),
              StartsWith("f:1: 3 columns where CoNLL-U has 10"));
}

TEST(BadSentences, ASentenceWithoutEnd) {
  std::string text;
  for (int i = 0; i <= 1000000; ++i) text += "a\tX\n";
  EXPECT_THAT(problem_of(text), HasSubstr("a sentence of more than 1000000 tokens"));
}

// Bad sentences are skipped and counted; their bytes are still written.
TEST(BadSentences, AreSkippedWhenAsked) {
  const std::string text =
      "a\tX\n\nb\tX\nc\tY\tz\nd\tX\n\n\xff\tX\n\xfe\tX\n\ne\tX\n\n\tX\n";
  const auto reader = reader_of(text, {.skip_bad = true});
  std::string bytes;
  std::vector<std::string> first;
  Sentence sentence;
  while (reader->next(sentence)) {
    first.emplace_back(sentence.tokens[0]);
    EXPECT_EQ(sentence.line_ends.size(), sentence.size());
    append_tagged(sentence, reader->format(), {}, bytes);
  }
  append_tagged(sentence, reader->format(), {}, bytes);
  EXPECT_THAT(first, ElementsAre("a", "e"));
  EXPECT_EQ(reader->skipped(), 3u);
  EXPECT_EQ(bytes, text);
}

TEST(BadSentences, SkippingAllIsAnError) {
  EXPECT_THAT(problem_of("\tX\n\n", {.skip_bad = true}),
              HasSubstr("all of its sentences are bad"));
}

TEST(BadSentences, Spans) {
  const SentenceOptions spans{.spans = true};
  const auto problem = [&](const std::string& line) { return problem_of(line, spans); };
  EXPECT_THAT(problem(R"({"tokens":["a","b"],"start":1,"end":0,"label":"x"})"),
              StartsWith("f:1: the span ends at 0 before it starts at 1"));
  EXPECT_THAT(problem(R"({"tokens":["a","b"],"start":0,"end":2,"label":"x"})"),
              StartsWith("f:1: \"end\" is 2, outside the sentence of 2 tokens"));
  EXPECT_THAT(problem(R"({"tokens":["a"],"start":-1,"end":0,"label":"x"})"),
              StartsWith("f:1: \"start\" is -1"));
  EXPECT_THAT(problem(R"({"tokens":["a"],"start":0.5,"end":0,"label":"x"})"),
              StartsWith("f:1: \"start\" is missing or not a whole number"));
  EXPECT_THAT(problem(R"({"tokens":["a"],"start":0,"end":0})"),
              StartsWith("f:1: no \"label\""));
  EXPECT_THAT(problem(R"({"tokens":[],"start":0,"end":0,"label":"x"})"),
              StartsWith("f:1: \"tokens\" is empty"));
  EXPECT_THAT(problem(R"({"tokens":["a","b"],"pos":["X"],"start":0,"end":0,"label":"x"})"),
              StartsWith("f:1: \"pos\" has 1 entries for 2 tokens"));
  EXPECT_THAT(problem(R"({"tokens":["a",3],"start":0,"end":0,"label":"x"})"),
              StartsWith("f:1: \"tokens\" holds something"));
  EXPECT_THAT(problem(R"({"tokens":["a"])"), StartsWith("f:1: not valid JSON"));
  EXPECT_THAT(problem("{}"), StartsWith("f:1: no list \"tokens\""));
}

}  // namespace
}  // namespace megadapt
