#pragma once

#include <string>
#include <string_view>

namespace megadapt::corpus {

/// The result of checking that text is UTF-8 without NUL bytes.
struct TextCheck {
  std::size_t good;  ///< length of the valid prefix
  bool bad;          ///< the next byte is invalid; if false, the text may end in a sequence
};

TextCheck check_text(std::string_view bytes);

/// Returns the text for a message: invalid bytes become U+FFFD.
std::string readable(std::string_view bytes);

}  // namespace megadapt::corpus
