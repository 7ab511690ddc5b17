// Words by rules 1 (those of version 0.1) and rules 2.
#include "corpus/text/words.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>

namespace megadapt::corpus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> words(std::string_view text, int rules = 2) {
  WordFinder finder(rules, true);
  const auto& found = finder.find(text);
  return {found.begin(), found.end()};
}

TEST(Words, NamesWithPlusAndSharpAreWords) {
  EXPECT_THAT(words("C++, C# and C."), ElementsAre("c++", "c#", "and", "c"));
  EXPECT_THAT(words("C++11 or C#7"), ElementsAre("c++", "11", "or", "c#", "7"));
  EXPECT_THAT(words("an A+ for 1+1"), ElementsAre("an", "a+", "for", "1", "+", "1"));
  EXPECT_THAT(words("x+y page#top"), ElementsAre("x", "+", "y", "page", "top"));
  EXPECT_THAT(words("C++ C# C", 1), ElementsAre("c", "c", "c"));
}

TEST(Words, SymbolsAndEmojiAreWords) {
  EXPECT_THAT(words("5 € or $6"), ElementsAre("5", "€", "or", "$", "6"));
  EXPECT_THAT(words("nice😀😀 ❤️!"), ElementsAre("nice", "😀", "😀", "❤️"));
  EXPECT_THAT(words("our 👩‍👩‍👧 in 🇫🇷 👍🏽"),
              ElementsAre("our", "👩‍👩‍👧", "in", "🇫🇷", "👍🏽"));
  EXPECT_THAT(words("😀 5 €", 1), ElementsAre("5"));
}

TEST(Words, PunctuationIsNot) {
  EXPECT_THAT(words("... (!) — \"_\" __ #"), IsEmpty());
  EXPECT_THAT(words(" \t\n"), IsEmpty());
}

TEST(Words, AnAddressIsSplitAtTheAt) {
  EXPECT_THAT(words("bob@example.com josé@été.fr @ @x"),
              ElementsAre("bob", "example.com", "josé", "été.fr", "x"));
}

TEST(Words, ContractionsNumbersAndUnderscoresStayWhole) {
  EXPECT_THAT(words("don't pay 3,000.50 for foo_bar e.g."),
              ElementsAre("don't", "pay", "3,000.50", "for", "foo_bar", "e.g"));
  EXPECT_THAT(words("don’t"), words("don't")) << "a curly apostrophe is an apostrophe";
}

TEST(Words, ScriptsWithoutSpaces) {
  EXPECT_THAT(words("我喜欢猫"), ElementsAre("我", "喜欢", "猫"));
  EXPECT_THAT(words("สวัสดีชาวโลก"), ElementsAre("สวัสดี", "ชาว", "โลก"));
}

TEST(Words, CompositionDoesNotMatter) {
  EXPECT_THAT(words("Cafe\u0301"), ElementsAre("caf\u00e9"));
  EXPECT_THAT(words("Cafe\u0301", 1), ElementsAre("cafe\u0301"));
}

/// Checks that the fast path and ICU find the same words in texts made of the pieces.
void expect_same_by_icu(const std::vector<std::string>& pieces) {
  const bool held = rc::check([&] {
    std::string text;
    for (const std::string& piece :
         *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces))) {
      text += piece;
    }
    for (const bool lower_case : {true, false}) {
      WordFinder fast(2, lower_case), slow(2, lower_case);
      RC_ASSERT(fast.find(text) == slow.find_by_icu(text));
    }
  });
  EXPECT_TRUE(held);
}

TEST(Words, TheFastPathFindsWhatIcuFinds) {
  std::vector<std::string> pieces;
  for (int c = 1; c < 128; ++c) pieces.emplace_back(1, static_cast<char>(c));
  for (const char* often : {"a", "B", "7", "'", ".", ",", ";", ":", "_", "+", "#", " "}) {
    pieces.insert(pieces.end(), 12, often);
  }
  expect_same_by_icu(pieces);
}

TEST(Words, TheFastPathFindsWhatIcuFindsInMixedText) {
  expect_same_by_icu({"a", "B",  "7", "'", ".", ",", "_",  "+",      "#",       " ",
                      " ", "\n", "é", "’", "😀", "€", "猫", "\u200d", "e\u0301", "@"});
}

}  // namespace
}  // namespace megadapt::corpus
