#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/limits.hpp"

namespace megadapt {

/// Returns whether brackets outside of strings are nested deeper than `most`.
bool nested_deeper(std::string_view json, std::size_t most);

/// Reads a JSON value from a file, a model or a request. Throws parse_error for text that
/// is not JSON or is nested deeper than `most`.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, std::size_t most = kDeepestJson) {
  if (nested_deeper(text, most)) {
    throw Json::parse_error::create(101, 0, "the JSON is nested too deeply", nullptr);
  }
  return Json::parse(text.begin(), text.end());
}

/// Writes a JSON value, in one line unless `indent` is given. Bytes that are not UTF-8, which
/// names in a model may contain, become U+FFFD.
template <class Json>
std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace megadapt
