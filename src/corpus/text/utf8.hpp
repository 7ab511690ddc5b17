#pragma once

#include <string>
#include <string_view>

namespace megadapt::corpus {

/// The result of checking that text is UTF-8 without NUL bytes.
struct TextCheck {
  std::size_t good;  ///< length of the valid prefix
  bool bad;          ///< the next byte is invalid, not the start of a cut-off character
};

TextCheck check_text(std::string_view bytes);

/// Returns the text for a message: invalid bytes become U+FFFD.
std::string readable(std::string_view bytes);

}  // namespace megadapt::corpus
