#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace megadapt {

/// See docs/model-file.md for the text form.
inline constexpr std::string_view kTextHeader = "megadapt model text 1";

/// Appends `text` as one line: backslash, line feed, tab and carriage return as \\ \n \t
/// \r, other control bytes as \xNN, every other byte unchanged.
void append_escaped(std::string& out, std::string_view text);

/// The inverse of append_escaped; returns nothing if an escape is not one of these.
std::optional<std::string> unescape(std::string_view line);

}  // namespace megadapt
