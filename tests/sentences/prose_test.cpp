// Running text: sentences, tokens, and the text given back byte for byte.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rapidcheck/gtest.h>

#include "sentences/prose_splitter.hpp"
#include "sentences/read_sentences.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;

// The sentences of a text, with `|` between tokens.
std::vector<std::string> split(const std::string& text, SentenceOptions options = {}) {
  options.format = SentenceFormat::prose;
  options.labelled = false;
  std::vector<std::string> all;
  for (const Sentence& sentence : sentences_of(text, options)) {
    all.push_back(fmt::format("{}", fmt::join(sentence.forms, "|")));
  }
  return all;
}

TEST(Prose, PunctuationIsATokenOfItsOwn) {
  EXPECT_THAT(split("He said, \"Stop (now)\"; and left!"),
              ElementsAre("He|said|,|\"|Stop|(|now|)|\"|;|and|left|!"));
}

TEST(Prose, SentencesEndAtFullStopsButNotAtAbbreviations) {
  EXPECT_THAT(split("Mr. Smith of the U.S. met J. Doe. They left at 3.30 p.m. on Jan. 5."),
              ElementsAre("Mr.|Smith|of|the|U.S.|met|J.|Doe|.",
                          "They|left|at|3.30|p.m.|on|Jan.|5|."));
}

TEST(Prose, AQuotedSentenceKeepsItsFullStopApart) {
  EXPECT_THAT(split("\"Stop it.\" he said."), ElementsAre("\"|Stop|it|.|\"|he|said|."));
}

TEST(Prose, ALineBreakIsASpaceAndABlankLineEndsTheSentence) {
  EXPECT_THAT(split("a title\n\nIt goes\non here. End\r\n \nnew"),
              ElementsAre("a|title", "It|goes|on|here|.", "End", "new"));
}

TEST(Prose, WordsStayWhole) {
  EXPECT_THAT(split("See C++, C# and AT&T's front-end at https://a.example/b?c=1, or mail "
                    "me@x.example, #tag @you -- 1,000.5% done ... ok!!"),
              ElementsAre("See|C++|,|C#|and|AT&T's|front-end|at|https://a.example/b?c=1|,|"
                          "or|mail|me@x.example|,|#tag|@you|--|1,000.5|%|done|...|ok|!!"));
}

TEST(Prose, EmojiAndScriptsWithoutSpaces) {
  EXPECT_THAT(split("Gut 👍🏽! 我爱北京。谢谢。"),
              ElementsAre("Gut|👍🏽|!", "我|爱|北京|。", "谢谢|。"));
}

TEST(Prose, TheModelSaysHowWordsAreSplit) {
  const std::string text = "I can't say it's John\u2019s well-known plan; we cannot.";
  EXPECT_THAT(split(text), ElementsAre("I|can't|say|it's|John\u2019s|well-known|plan|;|we|"
                                       "cannot|."));
  SentenceOptions treebank;
  treebank.tokens = {.split_contractions = true, .split_hyphens = true};
  EXPECT_THAT(split(text, treebank),
              ElementsAre("I|ca|n't|say|it|'s|John|\u2019s|well|-|known|plan|;|we|can|not|"
                          "."));
}

TEST(Prose, CaseDoesNotMatterWhereItIsToBeRestored) {
  SentenceOptions recap;
  recap.recase = true;
  const std::vector<std::string> lower =
      split("he met mr. smith, e.g. in paris. then j. doe left. fine", recap);
  EXPECT_THAT(lower, ElementsAre("he|met|mr.|smith|,|e.g.|in|paris|.", "then|j.|doe|left|.",
                                 "fine"));
  EXPECT_EQ(split("HE MET MR. SMITH, E.G. IN PARIS. THEN J. DOE LEFT. FINE", recap).size(),
            lower.size());
}

TEST(Prose, SentencesKnowTheirLines) {
  SentenceOptions options;
  options.format = SentenceFormat::prose;
  options.labelled = false;
  std::vector<std::size_t> lines;
  for (const Sentence& s :
       sentences_of("\nOne. Two\nand more.\nThree.\n\n\nFour", options)) {
    lines.push_back(s.line);
  }
  EXPECT_THAT(lines, ElementsAre(2, 2, 4, 7));
}

TEST(Prose, IsGuessedWherePunctuationIsGluedToWords) {
  const auto guessed = [](const std::string& text) {
    return reader_of(text, {.labelled = false}, 4096)->format();
  };
  EXPECT_EQ(guessed("He said.\n"), SentenceFormat::prose);
  EXPECT_EQ(guessed("paris, he said"), SentenceFormat::prose);
  EXPECT_EQ(guessed("He said .\nIn Paris , mr. Smith left .\n"), SentenceFormat::text);
  EXPECT_EQ(guessed("no punctuation here\n"), SentenceFormat::text);
  EXPECT_EQ(guessed("The dog barked. The cat ran\n"), SentenceFormat::prose);
  EXPECT_EQ(guessed("We paid 30%. He left in 1999. I ran\n"), SentenceFormat::prose);
  EXPECT_EQ(guessed("At 5 p.m. Mr. Smith ran\n"), SentenceFormat::text);
  EXPECT_EQ(guessed("He\nsaid\n.\n"), SentenceFormat::conll);
  EXPECT_EQ(guessed("He\tPRON\nsaid,\tVERB\n\n"), SentenceFormat::conll);
  EXPECT_EQ(guessed("{\"tokens\": [\"a,\"]}\n"), SentenceFormat::jsonl);
}

TEST(Prose, HasNoTagsToLearnFrom) {
  SentenceOptions options;
  options.format = SentenceFormat::prose;
  EXPECT_THAT(problem_of("He said.", options), testing::HasSubstr("no tags"));
}

TEST(TokenRules, AreThoseOfTheCorpus) {
  const auto rules = [](const std::vector<std::string>& tokens) {
    sentences::TokenRuleCounter counter;
    for (const std::string& token : tokens) counter.add(token);
    return counter.rules();
  };
  EXPECT_EQ(rules({"do", "n't", "it", "'s", "front", "-", "end"}),
            (TokenRules{.split_contractions = true, .split_hyphens = true}));
  EXPECT_EQ(rules({"don't", "it's", "front-end", "-"}), TokenRules{});
  EXPECT_EQ(rules({"plain", "'", "words"}), TokenRules{});
}

// What is written when no tag is added and when every token is replaced by itself.
std::vector<std::string> given_back(const std::string& text, const SentenceOptions& options,
                                    std::size_t buffer) {
  std::string plain, replaced, joined;
  const auto reader = reader_of(text, options, buffer);
  Sentence sentence;
  while (reader->next(sentence)) {
    append_tagged(sentence, SentenceFormat::prose, {}, plain);
    append_replaced(sentence, {sentence.forms.begin(), sentence.forms.end()}, replaced);
    const std::vector<std::string> spaces = spaces_of(sentence);
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      joined += spaces[t];
      joined += sentence.forms[t];
    }
    joined += spaces.back();
  }
  for (std::string* all : {&plain, &replaced, &joined}) *all += sentence.raw;
  return {plain, replaced, joined};
}

RC_GTEST_PROP(ProseProperty, TokensAndSpacesAreTheText, ()) {
  const auto part = rc::gen::element<std::string>(
      "a", "B", "don't", "Mr.", "U.S.", ".", "...", ",", "!", " ", "  ", "\n", "\n\n",
      "\r\n", "\t", "\u00a0", "é", "我爱", "👍🏽", "-", "'", "\u2019s", "\"", "(", ")",
      "@", "#", "+", "++", "&", "3.5", "://", "www.", "\u0301", "\u200d", "\ufeff", "_",
      "شكرا");
  const auto parts = *rc::gen::container<std::vector<std::string>>(part);
  const std::string text = fmt::format("{}", fmt::join(parts, ""));
  SentenceOptions options;
  options.format = SentenceFormat::prose;
  options.labelled = false;
  options.recase = *rc::gen::arbitrary<bool>();
  options.tokens = {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  const std::size_t buffer = *rc::gen::element<std::size_t>(64, 4096);
  for (const std::string& written : given_back(text, options, buffer)) {
    RC_ASSERT(written == text);
  }
  for (const Sentence& sentence : sentences_of(text, options)) {
    RC_ASSERT(sentence.size() > 0);
    for (const std::string_view form : sentence.forms) RC_ASSERT(!form.empty());
    // No word is lost: what stands between tokens is white space.
    for (const std::string& space : spaces_of(sentence)) {
      for (const char c : space) {
        RC_ASSERT(std::string_view(" \t\r\n\xc2\xa0\xef\xbb\xbf").find(c) !=
                  std::string_view::npos);
      }
    }
  }
}

}  // namespace
}  // namespace megadapt
