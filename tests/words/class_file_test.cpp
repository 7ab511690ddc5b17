#include <gmock/gmock.h>

#include "corpus/temp_file.hpp"
#include "corpus/text/word_classes.hpp"
#include "megadapt/words.hpp"

namespace megadapt {
namespace {

using corpus::TempFile;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string names_of(const WordClasses& classes, std::string_view word) {
  std::string all;
  for (const std::uint32_t id : classes.find(word)) {
    all += all.empty() ? "" : " ";
    all += id == kNone ? "-" : std::string(classes.name(id));
  }
  return all;
}

TEST(ClassFile, HasColumnsAndCounts) {
  const TempFile file(
      "word\tclass2\tclass4\tcount\nthe\tA0\tB1\t9\nmonday\tA1\tB3\t4\nfriday\tA1\t_\t2\n");
  const WordClasses classes = read_word_classes(file.path());
  EXPECT_THAT(classes.columns(), ElementsAre("class2", "class4"));
  EXPECT_EQ(classes.num_words(), 3u);
  EXPECT_EQ(names_of(classes, "the"), "A0 B1");
  EXPECT_EQ(names_of(classes, "friday"), "A1 -");
  EXPECT_THAT(classes.examples("class2", "A1", 5), ElementsAre("monday", "friday"));
  EXPECT_THAT(classes.examples("class2", "A1", 1), ElementsAre("monday"));
  EXPECT_THAT(classes.examples("class2", "A7", 5), ElementsAre());
  EXPECT_THAT(classes.examples("class9", "A1", 5), ElementsAre());
}

TEST(ClassFile, AnUnknownWordHasTheClassesOfItsLowerCasedForm) {
  const TempFile file("word\tclass\nmonday\tday\nMay\tmonth\nmay\tverb\n");
  const WordClasses classes = read_word_classes(file.path());
  EXPECT_EQ(names_of(classes, "MONDAY"), "day");
  EXPECT_EQ(names_of(classes, "May"), "month");
  EXPECT_EQ(names_of(classes, "MAY"), "verb");
  EXPECT_EQ(names_of(classes, "sunday"), "");
}

TEST(ClassFile, TwoColumnsNeedNoHeader) {
  const TempFile file("Rome\tplace\nword\tclassy\n");
  const WordClasses classes = read_word_classes(file.path());
  EXPECT_THAT(classes.columns(), ElementsAre("class"));
  EXPECT_EQ(names_of(classes, "word"), "classy");
}

std::string problem(const std::string& text) {
  const TempFile file(text);
  try {
    read_word_classes(file.path());
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ClassFile, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_THAT(problem("a\tx\nb\n"),
              HasSubstr("1 field between tabs where 2 were expected"));
  EXPECT_THAT(problem("a\tx\nb\n"), HasSubstr("2"));
  EXPECT_THAT(problem("a\tx\na\ty\n"), HasSubstr("the word 'a' has classes already"));
  EXPECT_THAT(problem("a\tx\ty\n"), HasSubstr("does not name its columns"));
  EXPECT_THAT(problem("the 0.1 -2e-3\n"), HasSubstr("give it to --word-vectors"));
  EXPECT_THAT(problem("2 100\nthe 0.1\n"), HasSubstr("give it to --word-vectors"));
  EXPECT_THAT(problem("the end\n"), HasSubstr("does not name its columns"));
  EXPECT_THAT(problem("word\tclass64\tpos\na\tx\ty\n"), HasSubstr("'pos'"));
  EXPECT_THAT(problem("word\tclass1\tclass1\na\tx\ty\n"), HasSubstr("two columns"));
  EXPECT_THAT(problem("word\tclass64\n"), HasSubstr("has no words"));
  EXPECT_THAT(problem("\tx\n"), HasSubstr("the word is empty"));
  EXPECT_THAT(problem("a\tx\nb\tx|y\n"), HasSubstr("the class 'x|y' has a | or a \\"));
  EXPECT_THAT(problem("a\tx\\\n"), HasSubstr("the class 'x\\' has a | or a \\"));
}

TEST(WordClasses, EqualContentsAreEqual) {
  const TempFile file("a\tx\nb\ty\n");
  const TempFile other("a\tx\nb\tx\n");
  EXPECT_EQ(read_word_classes(file.path()), read_word_classes(file.path()));
  EXPECT_FALSE(read_word_classes(file.path()) == read_word_classes(other.path()));
  EXPECT_FALSE(read_word_classes(file.path()) == WordClasses());
  EXPECT_TRUE(WordClasses().find("a").empty());
}

}  // namespace
}  // namespace megadapt
