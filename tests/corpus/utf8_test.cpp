#include "corpus/text/utf8.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace megadapt::corpus {
namespace {

using namespace std::string_view_literals;

const std::string kLong(200, 'a');

TEST(Utf8, GoodText) {
  for (const std::string_view text :
       {""sv, "plain"sv, "é€😀"sv, "\x7f\t\x01"sv, "\xef\xbf\xbf"sv, "\xf4\x8f\xbf\xbf"sv,
        "\xed\x9f\xbf"sv}) {
    const TextCheck check = check_text(text);
    EXPECT_EQ(check.good, text.size()) << text;
    EXPECT_FALSE(check.bad) << text;
  }
}

TEST(Utf8, BadBytesAtEveryDistance) {
  const std::vector<std::string_view> wrong = {"\xff"sv,
                                               "\x80"sv,
                                               "\xc0\xaf"sv,          // overlong
                                               "\xe0\x9f\xbf"sv,      // overlong
                                               "\xed\xa0\x80"sv,      // surrogate
                                               "\xf0\x8f\xbf"sv,      // overlong
                                               "\xf4\x90\x80\x80"sv,  // above U+10FFFF
                                               "\xe9t"sv,             // Latin-1
                                               "\xe2\x82x"sv,         // cut off
                                               "\0"sv};               // NUL
  for (const std::string_view bytes : wrong) {
    for (std::size_t before = 0; before < 140; ++before) {
      const std::string text = kLong.substr(0, before) + std::string(bytes) + kLong;
      const TextCheck check = check_text(text);
      EXPECT_TRUE(check.bad);
      EXPECT_EQ(check.good, before);
    }
  }
}

TEST(Utf8, ACutOffEndIsNotBadYet) {
  for (const std::string_view bytes : {"\xc3"sv, "\xe2\x82"sv, "\xf0\x9f\x98"sv}) {
    const std::string text = kLong + std::string(bytes);
    const TextCheck check = check_text(text);
    EXPECT_FALSE(check.bad);
    EXPECT_EQ(check.good, kLong.size());
  }
}

TEST(Utf8, MessagesShowAReplacement) {
  EXPECT_EQ(readable("caf\xe9 au"), "caf\xef\xbf\xbd au");
  EXPECT_EQ(readable("a\0b"sv), "a\\0b");
  EXPECT_EQ(readable("é"), "é");
  EXPECT_EQ(readable("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace megadapt::corpus
