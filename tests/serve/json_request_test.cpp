#include "serve/json_request.hpp"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <array>

#include "serve/responses.hpp"

namespace megadapt::serve {
namespace {

Refusal refusal_of(std::string_view body, bool explains = false) {
  try {
    parse_rows_request(body, {.rows = 3}, explains);
  } catch (const Refusal& refusal) {
    return refusal;
  }
  return {.status = 0, .problem = "was accepted"};
}

TEST(JsonRequest, ReadsAListOfFeatures) {
  const RowsRequest request = parse_rows_request(R"({"features": ["a", "b"]})", {}, false);
  ASSERT_EQ(request.rows.size(), 1u);
  EXPECT_TRUE(request.single);
  EXPECT_FALSE(request.rows[0].has_values);
  EXPECT_EQ(request.rows[0].features[1].first, "b");
}

TEST(JsonRequest, ReadsValuesTextDomainAndId) {
  const RowsRequest request = parse_rows_request(
      R"({"rows": [{"features": {"a": 0.5}, "id": 7}, {"text": "x y", "domain": "in"}]})",
      {}, false);
  ASSERT_EQ(request.rows.size(), 2u);
  EXPECT_FALSE(request.single);
  EXPECT_TRUE(request.rows[0].has_values);
  EXPECT_EQ(request.rows[0].features[0].second, 0.5f);
  EXPECT_EQ(request.rows[0].id, "7");
  EXPECT_EQ(request.rows[1].text, "x y");
  EXPECT_EQ(request.rows[1].domain, "in");
}

TEST(JsonRequest, LabelsAndTopAreForExplanations) {
  const std::string body = R"({"features": [], "label": "a", "against": "b", "top": 4})";
  const RowsRequest request = parse_rows_request(body, {}, true);
  EXPECT_EQ(request.label, "a");
  EXPECT_EQ(request.against, "b");
  EXPECT_EQ(request.top, 4u);
  EXPECT_EQ(refusal_of(body).problem, "there is no field \"against\"");
}

TEST(JsonRequest, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not valid JSON at byte 1"},
      {"{", "not valid JSON"},
      {"\xff\xfe", "not valid JSON"},
      {"[]", "not a JSON object"},
      {"3", "not a JSON object"},
      {"{}", "neither \"features\" nor \"text\""},
      {R"({"features": ["a"], "text": "b"})", "both"},
      {R"({"features": "a"})", "neither a list nor an object"},
      {R"({"features": [1]})", "not a string"},
      {R"({"features": [""]})", "empty name"},
      {R"({"features": {"a": "x"}})", "not a number"},
      {R"({"features": {"a": 1e39}})", "too large"},
      {R"({"features": {"a": 1e999}})", "too large"},
      {R"({"text": 3})", "\"text\" is not a string"},
      {R"({"feature": ["a"]})", "no field \"feature\""},
      {R"({"rows": {}})", "\"rows\" is not a list"},
      {R"({"rows": [3]})", "not an object"},
      {R"({"rows": [], "text": "a"})", "no field \"text\""},
      {"{\"features\": " + std::string(100000, '['), "nested too deeply"},
  };
  for (const auto& [body, problem] : cases) {
    const Refusal refusal = refusal_of(body);
    EXPECT_EQ(refusal.status, 400) << body;
    EXPECT_THAT(refusal.problem, testing::HasSubstr(problem)) << body;
  }
  EXPECT_THAT(refusal_of(R"({"feature": ["a"]})").fix, testing::HasSubstr("\"features\""));
}

TEST(JsonRequest, NumbersOfColumnsAreTheirTexts) {
  const ExtraFields columns{.columns = {"stars", "size"}};
  const RowsRequest request =
      parse_rows_request(R"({"text": "a", "stars": 1.0, "size": 12})", {}, false, columns);
  EXPECT_EQ(request.rows[0].columns.at("stars"), "1.0");
  EXPECT_EQ(request.rows[0].columns.at("size"), "12");
}

TEST(JsonRequest, TakesALineOfAJsonLinesFile) {
  const RowsRequest request = parse_rows_request(
      R"({"rows": [{"label": "a", "features": ["x"], "weight": 2, "group": "g"}]})", {},
      true);
  EXPECT_EQ(request.rows.size(), 1u);
  EXPECT_FALSE(request.label);
}

TEST(JsonRequest, NamesTheRowThatIsToBlame) {
  const Refusal refusal = refusal_of(R"({"rows": [{"text": "a"}, {"text": 3}]})");
  EXPECT_EQ(refusal.row, 1u);
}

TEST(JsonRequest, RefusesTooManyRows) {
  const Refusal refusal =
      refusal_of(R"({"rows": [{"text":"a"}, {"text":"a"}, {"text":"a"}, {"text":"a"}]})");
  EXPECT_EQ(refusal.status, 413);
  EXPECT_THAT(refusal.fix, testing::HasSubstr("--max-rows"));
}

// For any bytes, the result is rows or a refusal.
TEST(JsonRequest, SurvivesPiecesOfJsonInAnyOrder) {
  static constexpr std::array<const char*, 16> kPieces = {
      "{",        "}",     "[", "]",      ",",    ":",    "\"features\"", "\"text\"",
      "\"rows\"", "\"a\"", "1", "-1e400", "null", "true", "\"\\u0000\"",  "\xc3"};
  RC_ASSERT(rc::check("any pieces", [] {
    std::string body;
    for (const auto piece : *rc::gen::container<std::vector<std::size_t>>(
             rc::gen::inRange<std::size_t>(0, kPieces.size()))) {
      body += kPieces[piece];
    }
    try {
      parse_rows_request(body, {}, true);
    } catch (const Refusal& refusal) {
      RC_ASSERT(refusal.status == 400);
    }
  }));
}

}  // namespace
}  // namespace megadapt::serve
