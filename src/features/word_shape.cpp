#include "features/word_shape.hpp"

#include <fmt/format.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "megadapt/error.hpp"

namespace megadapt::features {
namespace {

constexpr std::size_t kLongestRun = 4;
constexpr std::size_t kLongestShape = 24;  // in characters; the rest is left out

template <class Use>
void for_each_character(std::string_view word, Use use) {
  const auto size = static_cast<std::int32_t>(word.size());
  for (std::int32_t i = 0; i < size;) {
    UChar32 c;
    U8_NEXT(word.data(), i, size, c);
    use(c);
  }
}

UChar32 shape_of(UChar32 c) {
  if (u_isUUppercase(c) || u_istitle(c)) return 'X';
  if (u_isULowercase(c)) return 'x';
  if (u_isUAlphabetic(c)) return 'o';
  return u_isdigit(c) ? 'd' : c;
}

std::size_t kind_of(UChar32 c) {
  if (u_isUAlphabetic(c)) return 0;
  if (u_isdigit(c)) return 1;
  if (u_ispunct(c)) return 2;
  const auto mask = U_GET_GC_MASK(c);
  return mask & U_GC_S_MASK ? 3 : 4;
}

bool is_mark(UChar32 c) { return (U_GET_GC_MASK(c) & (U_GC_M_MASK | U_GC_CF_MASK)) != 0; }

void append(UChar32 c, std::string& out) {
  char bytes[4];
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, c);
  out.append(bytes, static_cast<std::size_t>(size));
}

void require(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw ResourceError(fmt::format("ICU: {}", u_errorName(status)),
                        "check that ICU and its data are installed");
  }
}

}  // namespace

std::string word_shape(std::string_view word) {
  std::string shape;
  UChar32 last = -1;
  std::size_t run = 0, length = 0;
  for_each_character(word, [&](UChar32 c) {
    if (is_mark(c)) return;
    const UChar32 now = shape_of(c);
    run = now == last ? run + 1 : 1;
    last = now;
    if (run > kLongestRun || length == kLongestShape) return;
    append(now, shape);
    ++length;
  });
  return shape;
}

std::string word_kind(std::string_view word) {
  constexpr std::array<std::string_view, 5> kKinds = {"alpha", "digit", "punct", "symbol",
                                                      "other"};
  std::array<bool, 5> has{};
  for_each_character(word, [&](UChar32 c) {
    if (!is_mark(c)) has[kind_of(c)] = true;
  });
  std::string kind;
  for (std::size_t k = 0; k < has.size(); ++k) {
    if (!has[k]) continue;
    if (!kind.empty()) kind += '+';
    kind += kKinds[k];
  }
  return kind;
}

struct Characters::Icu {
  UBreakIterator* characters = nullptr;
  UText text = UTEXT_INITIALIZER;
};

Characters::Characters() : icu_(new Icu) {
  UErrorCode status = U_ZERO_ERROR;
  icu_->characters = ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status);
  if (U_FAILURE(status)) {
    delete icu_;
    require(status);
  }
}

Characters::~Characters() {
  ubrk_close(icu_->characters);
  utext_close(&icu_->text);
  delete icu_;
}

const std::vector<std::size_t>& Characters::boundaries(std::string_view word) {
  boundaries_.clear();
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(word, ascii)) {
    for (std::size_t i = 0; i <= word.size(); ++i) boundaries_.push_back(i);
    return boundaries_;
  }
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&icu_->text, word.data(), static_cast<std::int64_t>(word.size()), &status);
  ubrk_setUText(icu_->characters, &icu_->text, &status);
  require(status);
  for (std::int32_t at = ubrk_first(icu_->characters); at != UBRK_DONE;
       at = ubrk_next(icu_->characters)) {
    boundaries_.push_back(static_cast<std::size_t>(at));
  }
  return boundaries_;
}

}  // namespace megadapt::features
