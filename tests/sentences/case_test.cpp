#include <gtest/gtest.h>

#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

TEST(Case, MapsAnyScript) {
  EXPECT_EQ(lower_case("ΟΔΟΣ"), "οδος");
  EXPECT_EQ(lower_case("İSTANBUL"), "i̇stanbul");
  EXPECT_EQ(upper_case("straße"), "STRASSE");
  EXPECT_EQ(capitalized("élan"), "Élan");
  EXPECT_EQ(capitalized("ǆungla"), "ǅungla");
  EXPECT_EQ(capitalized(""), "");
  EXPECT_EQ(capitalized("'tis"), "'tis");
}

TEST(Case, Classes) {
  EXPECT_EQ(case_class("..."), "Punct");
  EXPECT_EQ(case_class("1999"), "Lowercase");
  EXPECT_EQ(case_class("word"), "Lowercase");
  EXPECT_EQ(case_class("A"), "Capitalized");
  EXPECT_EQ(case_class("Ülker"), "Capitalized");
  EXPECT_EQ(case_class("U.S."), "AllUpper");
  EXPECT_EQ(case_class("McCain"), "Mixed");
  EXPECT_EQ(case_class("شرق"), "Lowercase");
  EXPECT_EQ(case_class("東京"), "Lowercase");
}

}  // namespace
}  // namespace megadapt
