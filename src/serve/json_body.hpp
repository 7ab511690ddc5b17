#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace megadapt::serve {

/// Parses the body of a request. A number with a fraction or an exponent is kept as its
/// text, because the values of categories are compared as text: 1.0 and 1 differ. Throws
/// Refusal for text that is not JSON or is nested too deeply; `shape` is the remedy.
nlohmann::json parse_body(std::string_view body, const char* shape);

// Functions for the numbers of a parsed body. `text_of` also takes true and false.
bool is_number(const nlohmann::json& value);
double number_of(const nlohmann::json& value);
std::string text_of(const nlohmann::json& value);

}  // namespace megadapt::serve
