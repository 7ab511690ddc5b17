#include "serve/json_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/messages.hpp"
#include "megadapt/error.hpp"
#include "serve/json_body.hpp"
#include "serve/responses.hpp"

namespace megadapt::serve {
namespace {

using nlohmann::json;

constexpr const char* kShape =
    R"(send {"features": ["a", "b"]}, {"features": {"a": 0.5}}, {"text": "..."}, )"
    R"(or {"rows": [...]} of these)";

std::string string_field(const std::string& name, const json& value) {
  if (value.is_string()) return value;
  if (value.is_number_integer() && name == "id") return value.dump();
  throw Refusal{400, fmt::format("\"{}\" is not a string", name), kShape};
}

std::pair<std::string, float> feature_of(const std::string& name, double value) {
  if (name.empty()) {
    throw Refusal{400, "a feature has an empty name", "give every feature a name"};
  }
  const auto rounded = static_cast<float>(value);
  if (!std::isfinite(rounded)) {
    throw Refusal{400, fmt::format("the value of feature '{}' is too large", excerpt(name)),
                  "send finite numbers of a usual size"};
  }
  return {name, rounded};
}

void read_features(const json& value, RequestRow& row) {
  if (!value.is_array() && !value.is_object()) {
    throw Refusal{400, "\"features\" is neither a list nor an object", kShape};
  }
  row.has_values = value.is_object();
  for (const auto& [key, item] : value.items()) {
    const bool fits = row.has_values ? is_number(item) : item.is_string();
    if (!fits) {
      throw Refusal{
          400,
          row.has_values
              ? fmt::format("the value of feature '{}' is not a number", excerpt(key))
              : "the list of features holds something that is not a string",
          kShape};
    }
    row.features.push_back(row.has_values ? feature_of(key, number_of(item))
                                          : feature_of(item.get<std::string>(), 1));
  }
}

std::vector<std::string> read_list(const std::string& name, const json& value) {
  std::vector<std::string> list;
  const auto is_word = [](const json& item) {
    return item.is_string() && !item.get_ref<const std::string&>().empty();
  };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_word)) {
    throw Refusal{400, fmt::format("\"{}\" is not a list of words", name),
                  R"(send {"tokens": ["the", "dog"]})"};
  }
  for (const json& item : value) list.push_back(item);
  return list;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns whether the field belongs to a sentence whose tokens may have these columns.
bool read_sentence_field(const std::string& name, const json& value,
                         const std::vector<std::string>& columns, RequestRow& row) {
  if (name == "tokens") {
    row.tokens = read_list(name, value);
  } else if (name == "start" || name == "end") {
    if (!value.is_number_unsigned()) {
      throw Refusal{400, fmt::format("\"{}\" is not a whole number from 0", name),
                    "count tokens from 0"};
    }
    (name == "start" ? row.start : row.end) = value.get<std::size_t>();
  } else if (has(columns, name)) {
    row.token_columns[name] = read_list(name, value);
  } else {
    return name == "tags";  // of a labelled sentence; ignored
  }
  return true;
}

// The text of a column; null counts as absent.
void read_column(const std::string& name, const json& value, RequestRow& row) {
  if (value.is_null()) return;
  if (!value.is_string() && !is_number(value) && !value.is_boolean()) {
    throw Refusal{400, fmt::format("\"{}\" is neither a string nor a number", name),
                  kShape};
  }
  row.columns[name] = value.is_string() ? value.get<std::string>() : text_of(value);
}

// Returns whether the field belongs to a row.
bool read_row_field(const std::string& name, const json& value, const ExtraFields& extra,
                    RequestRow& row) {
  if (extra.sentences && read_sentence_field(name, value, extra.columns, row)) return true;
  if (name == "features") {
    read_features(value, row);
  } else if (name == "text") {
    row.text = string_field(name, value);
  } else if (name == "domain") {
    row.domain = string_field(name, value);
  } else if (name == "id") {
    row.id = string_field(name, value);
  } else if (!extra.sentences && has(extra.columns, name)) {
    read_column(name, value, row);
  } else {
    // A line of a JSON Lines file is accepted; fields that only training needs are ignored.
    return name == "label" || name == "weight" || name == "group" || name == "doc";
  }
  return true;
}

[[noreturn]] void refuse_field(const std::string& name,
                               const std::vector<std::string>& known) {
  const std::string near = closest(name, known);
  throw Refusal{400, fmt::format("there is no field \"{}\"", excerpt(name)),
                near.empty() ? kShape : fmt::format("did you mean \"{}\"?", near)};
}

void check_row(const json& value, const ExtraFields& extra, const RequestRow& row) {
  const bool sentence = extra.sentences && value.contains("tokens");
  const int given =
      value.contains("features") + (row.text || !row.columns.empty()) + sentence;
  if (given > 1) {
    throw Refusal{400,
                  !extra.sentences
                      ? "a row has both \"features\" and \"text\""
                      : "a row has more than one of \"tokens\", \"text\" and \"features\"",
                  "send one of them"};
  }
  if (given == 0) {
    throw Refusal{
        400,
        !extra.sentences ? "a row has neither \"features\" nor \"text\""
                         : "a row has none of \"tokens\", \"text\" and \"features\"",
        !extra.sentences ? kShape
                         : R"(send {"tokens": ["the", "dog"]} or {"text": "the dog"})"};
  }
}

RequestRow read_row(const json& value, const ExtraFields& extra) {
  if (!value.is_object()) throw Refusal{400, "a row is not an object", kShape};
  RequestRow row;
  for (const auto& [name, item] : value.items()) {
    if (!read_row_field(name, item, extra, row)) {
      refuse_field(name, {"features", "text", "domain", "id"});
    }
  }
  check_row(value, extra, row);
  return row;
}

void read_rows(const json& value, const Limits& limits, const ExtraFields& extra,
               RowsRequest& request) {
  if (!value.is_array()) throw Refusal{400, "\"rows\" is not a list", kShape};
  if (value.size() > limits.rows) {
    throw Refusal{
        413, fmt::format("{} rows are more than {}", value.size(), limits.rows),
        "send fewer rows at a time, or start the server with a larger --max-rows"};
  }
  request.single = false;
  for (std::size_t n = 0; n < value.size(); ++n) {
    try {
      request.rows.push_back(read_row(value[n], extra));
    } catch (Refusal& refusal) {
      refusal.row = n;
      throw;
    }
  }
}

bool read_explain_field(const std::string& name, const json& value, RowsRequest& request) {
  if (name == "label") {
    request.label = string_field(name, value);
  } else if (name == "against") {
    request.against = string_field(name, value);
  } else if (name == "top") {
    if (!value.is_number_unsigned()) {
      throw Refusal{400, "\"top\" is not a whole number from 0", "leave it out for all"};
    }
    request.top = value;
  } else {
    return false;
  }
  return true;
}

}  // namespace

RowsRequest parse_rows_request(std::string_view body, const Limits& limits, bool explains,
                               const ExtraFields& extra) {
  const json value = parse_body(body, kShape);
  if (!value.is_object()) throw Refusal{400, "the body is not a JSON object", kShape};
  RowsRequest request;
  RequestRow own;
  const bool many = value.contains("rows");
  for (const auto& [name, item] : value.items()) {
    if (name == "rows") {
      read_rows(item, limits, extra, request);
    } else if (!(explains && read_explain_field(name, item, request)) &&
               (many || !read_row_field(name, item, extra, own))) {
      refuse_field(name,
                   {"features", "text", "domain", "id", "rows", "label", "against", "top"});
    }
  }
  if (many) return request;
  check_row(value, extra, own);
  request.rows.push_back(std::move(own));
  return request;
}

}  // namespace megadapt::serve
