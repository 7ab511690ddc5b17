#include "sentences/case.hpp"

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <memory>

#include "base/icu_status.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt {
namespace sentences {
namespace {

using CaseMap = std::unique_ptr<UCaseMap, decltype(&ucasemap_close)>;
using Mapping = std::int32_t(const UCaseMap*, char*, std::int32_t, const char*,
                             std::int32_t, UErrorCode*);

// "" is ICU's root locale. The map can be shared by threads: mapping does not change it.
const UCaseMap* root_map() {
  static const CaseMap map = [] {
    UErrorCode status = U_ZERO_ERROR;
    CaseMap opened(ucasemap_open("", 0, &status), &ucasemap_close);
    require_icu(status);
    return opened;
  }();
  return map.get();
}

void append_mapped(Mapping* mapping, std::string_view text, std::string& out) {
  const std::size_t before = out.size();
  std::size_t room = text.size() + text.size() / 2 + 16;
  for (;;) {
    out.resize(before + room);
    UErrorCode status = U_ZERO_ERROR;
    const auto size = static_cast<std::size_t>(
        mapping(root_map(), out.data() + before, static_cast<std::int32_t>(room),
                text.data(), static_cast<std::int32_t>(text.size()), &status));
    if (status != U_BUFFER_OVERFLOW_ERROR) {
      if (status != U_STRING_NOT_TERMINATED_WARNING) require_icu(status);
      out.resize(before + size);
      return;
    }
    room = size + 1;
  }
}

}  // namespace

void append_lower(std::string_view text, std::string& out) {
  const std::size_t before = out.size();
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) {
      out.resize(before);
      append_mapped(ucasemap_utf8ToLower, text, out);
      return;
    }
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  }
}

void append_upper(std::string_view text, std::string& out) {
  append_mapped(ucasemap_utf8ToUpper, text, out);
}

}  // namespace sentences

std::string lower_case(std::string_view text) {
  std::string out;
  sentences::append_lower(text, out);
  return out;
}

std::string upper_case(std::string_view text) {
  std::string out;
  sentences::append_upper(text, out);
  return out;
}

std::string capitalized(std::string_view text) {
  if (text.empty()) return {};
  std::int32_t end = 0;
  U8_FWD_1(text.data(), end, static_cast<std::int32_t>(text.size()));
  UChar32 first;
  std::int32_t at = 0;
  U8_NEXT(text.data(), at, end, first);
  // Change only the first code point: ICU's title casing lowers the rest and skips quotes.
  std::string out(4, '\0');
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(out.data(), size, u_totitle(first));
  out.resize(static_cast<std::size_t>(size));
  out += text.substr(static_cast<std::size_t>(end));
  return out;
}

std::string_view case_class(std::string_view form) {
  bool letter_or_digit = false, upper_first = false, upper_later = false, lower = false;
  const auto size = static_cast<std::int32_t>(form.size());
  for (std::int32_t i = 0; i < size;) {
    const bool first = i == 0;
    UChar32 c;
    U8_NEXT(form.data(), i, size, c);
    letter_or_digit |= u_isalnum(c);
    const bool upper = u_isUUppercase(c) || u_istitle(c);
    (first ? upper_first : upper_later) |= upper;
    lower |= u_isULowercase(c);
  }
  if (!letter_or_digit) return "Punct";
  if (!upper_first && !upper_later) return "Lowercase";
  if (upper_first && !upper_later) return "Capitalized";
  return lower ? "Mixed" : "AllUpper";
}

}  // namespace megadapt
