#include "base/json.hpp"

#include <gtest/gtest.h>

namespace megadapt {
namespace {

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Json, DepthCountsBracketsOutsideStrings) {
  EXPECT_FALSE(nested_deeper("1", 0));
  EXPECT_TRUE(nested_deeper("[]", 0));
  EXPECT_FALSE(nested_deeper(R"({"a": [1], "b": [[2]]})", 3));
  EXPECT_TRUE(nested_deeper(R"({"a": [1], "b": [[2]]})", 2));
  EXPECT_FALSE(nested_deeper(R"(["[[[", "\"[[[", "\\"])", 1));
  EXPECT_FALSE(nested_deeper("]]]]", 0));
  EXPECT_FALSE(nested_deeper("\"\\", 0));  // a string without an end
}

TEST(Json, TextThatIsTooDeepIsAParseError) {
  EXPECT_EQ(parse_json(nested(kDeepestJson)).size(), 1u);
  EXPECT_THROW(parse_json(nested(kDeepestJson + 1)), nlohmann::json::parse_error);
  EXPECT_THROW(parse_json<nlohmann::ordered_json>(nested(75000)),
               nlohmann::json::parse_error);
  EXPECT_THROW(parse_json("{"), nlohmann::json::parse_error);
}

TEST(Json, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(json_text(nlohmann::json("a\xff")), "\"a\xef\xbf\xbd\"");
  EXPECT_EQ(json_text(nlohmann::json{{"a", 1}}, 2), "{\n  \"a\": 1\n}");
}

}  // namespace
}  // namespace megadapt
