#include "megadapt/error.hpp"

#include <gmock/gmock.h>

namespace megadapt {
namespace {

TEST(Error, KeepsPlaceProblemAndRemedyApart) {
  const InputError error({"news.tsv", 17, "\tw=bank"}, "no label before the first tab",
                         "write LABEL<TAB>FEATURE");
  EXPECT_EQ(error.place().file, "news.tsv");
  EXPECT_EQ(error.place().line, 17u);
  EXPECT_EQ(error.problem(), "no label before the first tab");
  EXPECT_EQ(error.remedy(), "write LABEL<TAB>FEATURE");
  EXPECT_EQ(error.headline(), "news.tsv:17: no label before the first tab");
  EXPECT_STREQ(error.what(),
               "news.tsv:17: no label before the first tab\n"
               "  17 | <TAB>w=bank\n"
               "fix: write LABEL<TAB>FEATURE");
}

TEST(Error, WithoutAPlaceIsProblemAndRemedy) {
  EXPECT_STREQ(UsageError("no rows", "give some").what(), "no rows\nfix: give some");
  EXPECT_STREQ(UsageError("no rows").what(), "no rows");
  EXPECT_STREQ(InputError({"m.txt"}, "is empty").what(), "m.txt: is empty");
}

TEST(Error, FrontEndsSpellOptions) {
  const UsageError error("--max-passes 0 is too small",
                         "give --max-passes 1, or --strict; a -- b stays");
  const auto python = [](std::string_view name) { return std::string(name) + "="; };
  EXPECT_EQ(
      error.text(python),
      "max-passes= 0 is too small\nfix: give max-passes= 1, or strict=; a -- b stays");
  EXPECT_STREQ(error.what(),
               "--max-passes 0 is too small\n"
               "fix: give --max-passes 1, or --strict; a -- b stays");
}

TEST(Error, TheOffendingLineKeepsItsWords) {
  const InputError error({"x.txt", 2, "a --beta"}, "bad --beta");
  const auto shout = [](std::string_view) { return std::string("BETA"); };
  EXPECT_EQ(error.text(shout), "x.txt:2: bad BETA\n  2 | a --beta");
}

}  // namespace
}  // namespace megadapt
