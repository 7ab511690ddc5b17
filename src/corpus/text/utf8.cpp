#include "corpus/text/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace megadapt::corpus {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load(const char* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Returns the length of the longest prefix of whole blocks that are ASCII without NUL. word
// - kOnes sets the high bit of a zero byte; only a zero byte borrows from its neighbour.
std::size_t plain_prefix(std::string_view bytes) {
  constexpr std::size_t kAtOnce = 64;
  std::size_t at = 0;
  for (; at + kAtOnce <= bytes.size(); at += kAtOnce) {
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < kAtOnce; i += sizeof(std::uint64_t)) {
      const std::uint64_t word = load(bytes.data() + at + i);
      seen |= (word - kOnes) | word;
    }
    if (seen & kHighBits) break;
  }
  return at;
}

// The length of a sequence with a given lead byte, and the range of its second byte, which
// excludes overlong forms, surrogates and code points above U+10FFFF (Unicode, table 3-7).
// Length 0: the lead byte is invalid.
struct Sequence {
  std::size_t length;
  unsigned char low = 0x80, high = 0xbf;
};

Sequence sequence(unsigned char lead) {
  if (lead == 0) return {0};
  if (lead < 0x80) return {1};
  if (lead < 0xc2) return {0};
  if (lead < 0xe0) return {2};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0};
}

enum class Found { whole, cut, bad };

Found look_at(std::string_view rest, const Sequence& expected) {
  if (expected.length == 0) return Found::bad;
  for (std::size_t i = 1; i < expected.length; ++i) {
    if (i == rest.size()) return Found::cut;
    const auto byte = static_cast<unsigned char>(rest[i]);
    const bool fits =
        i == 1 ? byte >= expected.low && byte <= expected.high : (byte & 0xc0) == 0x80;
    if (!fits) return Found::bad;
  }
  return Found::whole;
}

}  // namespace

TextCheck check_text(std::string_view bytes) {
  constexpr std::size_t kSlowRun = 64;  // after this many bytes, try the fast way again
  std::size_t at = 0;
  while (at < bytes.size()) {
    at += plain_prefix(bytes.substr(at));
    for (const std::size_t end = at + kSlowRun; at < bytes.size() && at < end;) {
      const Sequence expected = sequence(static_cast<unsigned char>(bytes[at]));
      const Found found = look_at(bytes.substr(at), expected);
      if (found != Found::whole) return {at, found == Found::bad};
      at += expected.length;
    }
  }
  return {at, false};
}

std::string readable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t good = check_text(bytes).good;
    text += bytes.substr(0, good);
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    text += bytes.front() == '\0' ? "\\0" : "\xef\xbf\xbd";
    bytes.remove_prefix(1);
  }
  return text;
}

}  // namespace megadapt::corpus
