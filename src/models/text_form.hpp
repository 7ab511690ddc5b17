#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace megadapt {

/// docs/model-file.md has the text form.
inline constexpr std::string_view kTextHeader = "megadapt model text 1";

/// `text` on one line: backslash, line feed, tab and carriage return as \\ \n \t \r, other
/// control bytes as \xNN; every other byte as it is.
void append_escaped(std::string& out, std::string_view text);

/// The inverse; nothing when a backslash begins none of these.
std::optional<std::string> unescape(std::string_view line);

}  // namespace megadapt
