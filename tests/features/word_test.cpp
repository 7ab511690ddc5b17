#include <gmock/gmock.h>

#include "features/word_shape.hpp"

namespace megadapt::features {
namespace {

using testing::ElementsAre;

TEST(WordShape, ClassesAndRuns) {
  EXPECT_EQ(word_shape("McDonald's"), "XxXxxxx'x");
  EXPECT_EQ(word_shape("aaaaaaaaaa"), "xxxx");
  EXPECT_EQ(word_shape("1,234.5"), "d,ddd.d");
  EXPECT_EQ(word_shape("ÄÖß"), "XXx");
  EXPECT_EQ(word_shape("東京"), "oo");
  EXPECT_EQ(word_shape("e\u0301a"), "xx");
  EXPECT_EQ(word_shape(std::string(1000, '!').append("a")), "!!!!x");
}

TEST(WordKind, WhatAWordIsMadeOf) {
  EXPECT_EQ(word_kind("word"), "alpha");
  EXPECT_EQ(word_kind("٣"), "digit");
  EXPECT_EQ(word_kind("--"), "punct");
  EXPECT_EQ(word_kind("$5"), "digit+symbol");
  EXPECT_EQ(word_kind("état"), "alpha");
}

TEST(Characters, AreClusters) {
  Characters characters;
  EXPECT_THAT(characters.boundaries("abc"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(characters.boundaries("ae\u0301"), ElementsAre(0, 1, 4));
  EXPECT_THAT(characters.boundaries(""), ElementsAre(0));
}

}  // namespace
}  // namespace megadapt::features
