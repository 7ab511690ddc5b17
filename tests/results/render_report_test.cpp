#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "megadapt/report.hpp"
#include "web/assets.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kResult = R"({
  "verdict": "Use </script><script>alert(1)</script> & <!-- it.",
  "systems": []
})";

std::string data_of(const std::string& html) {
  const std::string begin = R"(<script type="application/json" id="result">)";
  const std::size_t start = html.find(begin) + begin.size();
  return html.substr(start, html.find("</script>", start) - start);
}

std::string error_of(std::string_view result) {
  try {
    render_report(result, "r.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RenderReport, DataCannotBecomeMarkup) {
  const std::string html = render_report(kResult, "r.json");
  const std::string data = data_of(html);
  EXPECT_EQ(nlohmann::json::parse(data), nlohmann::json::parse(kResult));
  EXPECT_THAT(data, Not(HasSubstr("<")));
  EXPECT_THAT(html, Not(HasSubstr("@DATA@")));
}

TEST(RenderReport, NeedsNoOtherFile) {
  const std::string html = render_report(kResult, "r.json");
  EXPECT_THAT(html, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_FALSE(
      std::regex_search(html, std::regex(R"((src|href)="(https?:|//|\w+\.(js|css)))")));
  EXPECT_LT(html.size(), 300'000u);
}

TEST(RenderReport, RefusesWhatIsNoResult) {
  EXPECT_THAT(error_of("{\"systems\": []\n oops"), HasSubstr("r.json:2: this is not JSON"));
  EXPECT_THAT(error_of("{\"label\": \"a\"}"), HasSubstr("not a result of compare"));
  EXPECT_THAT(error_of("[1, 2]"), HasSubstr("not a result of compare"));
  EXPECT_THAT(error_of(""), HasSubstr("this is not JSON"));
  EXPECT_THAT(error_of("{\"verdict\": \"\xff\"}"), HasSubstr("this is not JSON"));
  EXPECT_THAT(error_of("{}"), HasSubstr("fix: give a file written by 'megadapt compare"));
}

TEST(RenderReport, ExplorerLoadsItsBundle) {
  const Asset* page = find_asset("/");
  ASSERT_NE(page, nullptr);
  EXPECT_THAT(std::string(page->bytes), HasSubstr("src=\"app.js\""));
  EXPECT_NE(find_asset("/app.js"), nullptr);
  EXPECT_EQ(find_asset("/app.css")->content_type, "text/css; charset=utf-8");
  EXPECT_EQ(find_asset("/missing"), nullptr);
}

}  // namespace
}  // namespace megadapt
