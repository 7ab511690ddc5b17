#include "models/text_form.hpp"

#include <charconv>

namespace megadapt {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHexDigits[byte >> 4];
      out += kHexDigits[byte & 15];
    } else {
      out += c;
    }
  }
}

std::optional<std::string> unescape(std::string_view line) {
  std::string text;
  text.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      text += line[i];
      continue;
    }
    if (++i == line.size()) return std::nullopt;
    if (line[i] == '\\') {
      text += '\\';
    } else if (line[i] == 'n') {
      text += '\n';
    } else if (line[i] == 't') {
      text += '\t';
    } else if (line[i] == 'r') {
      text += '\r';
    } else if (line[i] == 'x' && i + 2 < line.size()) {
      unsigned char byte = 0;
      const char* end = line.data() + i + 3;
      const auto read = std::from_chars(line.data() + i + 1, end, byte, 16);
      if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
      text += static_cast<char>(byte);
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

}  // namespace megadapt
