#pragma once

#include <string>
#include <string_view>

namespace megadapt::corpus {

/// How far text was found to be UTF-8 without NUL bytes.
struct TextCheck {
  std::size_t good;  ///< bytes from the start that are fine
  bool bad;          ///< the byte there is wrong; else a sequence may be cut off at the end
};

TextCheck check_text(std::string_view bytes);

/// The text for a message: bytes that are not UTF-8 become U+FFFD.
std::string readable(std::string_view bytes);

}  // namespace megadapt::corpus
