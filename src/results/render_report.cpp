#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "megadapt/error.hpp"
#include "megadapt/report.hpp"
#include "web/assets.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMarker = "@DATA@";
constexpr const char* kFix =
    "give a file written by 'megadapt compare --json', 'curve --json' or 'relate --json'";

// A result has at least one of these.
constexpr std::array kParts = {"systems", "curves",      "verdict",
                               "trace",   "relatedness", "kl"};

Json parse_result(std::string_view text, const std::string& file) {
  Json result;
  try {
    result = parse_json<Json>(text);
  } catch (const Json::parse_error& error) {
    const auto line = 1 + std::count(text.begin(),
                                     text.begin() + static_cast<std::ptrdiff_t>(
                                                        std::min(error.byte, text.size())),
                                     '\n');
    throw InputError({.file = file, .line = static_cast<std::size_t>(line)},
                     "this is not JSON", kFix);
  } catch (const Json::exception&) {
    throw InputError({.file = file}, "a number is too large", kFix);
  }
  const auto has = [&](const char* part) { return result.contains(part); };
  if (!result.is_object() || std::none_of(kParts.begin(), kParts.end(), has)) {
    throw InputError({.file = file},
                     "this JSON is not a result of compare, curve or relate", kFix);
  }
  return result;
}

// Escapes '<': "</script>" or "<!--" in the data would end or change the script element.
std::string inside_script(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string render_report(std::string_view result, const std::string& file) {
  const Asset* page = find_asset("report.html");
  if (page == nullptr) {
    throw UsageError("this megadapt was built without the report page",
                     "build it with -DMEGADAPT_WEB=ON, which needs node and npm");
  }
  const std::string data = inside_script(json_text(parse_result(result, file)));
  // The first marker is in the data block, which comes before the script.
  const std::size_t marker = page->bytes.find(kMarker);
  std::string html(page->bytes.substr(0, marker));
  html += data;
  html += page->bytes.substr(marker + kMarker.size());
  return html;
}

}  // namespace megadapt
