#include "serve/authority.hpp"

#include <algorithm>
#include <charconv>

namespace megadapt::serve {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_letter_or_digit(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}

bool consists_of(std::string_view text, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || more.find(c) != more.npos;
  });
}

// "" or ":" and a number up to 65535.
bool is_port(std::string_view text) {
  if (text.empty()) return true;
  if (text[0] != ':' || text.size() < 2 || text.size() > 6) return false;
  const char* end = text.data() + text.size();
  unsigned port = 0;
  const auto read = std::from_chars(text.data() + 1, end, port);
  return read.ec == std::errc() && read.ptr == end && port <= 65535;
}

}  // namespace

std::optional<std::string_view> name_in_authority(std::string_view authority) {
  const bool brackets = authority.starts_with('[');
  const std::size_t end = std::min(authority.find(brackets ? ']' : ':'), authority.size());
  const std::string_view name = authority.substr(brackets, end - brackets);
  const std::string_view rest =
      authority.substr(std::min(end + brackets, authority.size()));
  if (brackets && end == authority.size()) return std::nullopt;
  const bool fits = consists_of(name, brackets ? ":." : "-._");
  return fits && is_port(rest) ? std::optional(name) : std::nullopt;
}

std::optional<std::string_view> authority_of_origin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  }
  return std::nullopt;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace megadapt::serve
