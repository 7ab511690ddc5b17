#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "corpus/fields.hpp"

namespace megadapt::corpus {
namespace {

float value(std::string_view text) {
  float number = std::nanf("");
  EXPECT_EQ(parse_value(text, number), nullptr) << text;
  return number;
}

std::string problem(std::string_view text) {
  float number = 0;
  const char* found = parse_value(text, number);
  return found ? found : "";
}

TEST(Numbers, Values) {
  EXPECT_EQ(value("1"), 1);
  EXPECT_EQ(value("0"), 0);
  EXPECT_EQ(value("-12.5"), -12.5F);
  EXPECT_EQ(value("+3"), 3);
  EXPECT_EQ(value(".5"), 0.5F);
  EXPECT_EQ(value("1E2"), 100);
  EXPECT_EQ(value("3.4028234e38"), 3.4028234e38F);
}

TEST(Numbers, TinyValuesAreZero) {
  EXPECT_EQ(value("1e-60"), 0);
  EXPECT_EQ(value("1e-400"), 0);
  EXPECT_EQ(value("-1E-400"), 0);
}

TEST(Numbers, Problems) {
  for (const char* text : {"", "x", "1x", "1,5", "--1", "+-1", "++1", "0x10", "1 "}) {
    EXPECT_EQ(problem(text), "is not a number") << text;
  }
  for (const char* text : {"nan", "inf", "-inf", "NaN", "infinity"}) {
    EXPECT_EQ(problem(text), "is not finite") << text;
  }
  for (const char* text : {"1e400", "-1e400", "1e39", "3.5e38"}) {
    EXPECT_EQ(problem(text), "is too large") << text;
  }
}

TEST(Numbers, Weights) {
  double weight = 0;
  EXPECT_EQ(parse_weight("2.5", weight), nullptr);
  EXPECT_EQ(weight, 2.5);
  EXPECT_EQ(parse_weight("0", weight), nullptr);
  EXPECT_STREQ(parse_weight("-0.1", weight), "is negative");
  EXPECT_STREQ(parse_weight("1e999", weight), "is too large");
}

}  // namespace
}  // namespace megadapt::corpus
