// Words by Unicode's word boundaries (UAX #29), as ICU implements them.

#include "corpus/text/words.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "base/icu_status.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::string_view kCurlyApostrophe = "\xe2\x80\x99";  // U+2019

// How UAX #29 classifies ASCII characters, and which of them are symbols (category S).
enum class Kind : unsigned char {
  other,
  letter,
  digit,
  underscore,
  middle,
  in_number,
  symbol
};

constexpr std::array<Kind, 128> kKinds = [] {
  std::array<Kind, 128> kinds{};
  for (char c = 'a'; c <= 'z'; ++c) kinds[static_cast<unsigned char>(c)] = Kind::letter;
  for (char c = 'A'; c <= 'Z'; ++c) kinds[static_cast<unsigned char>(c)] = Kind::letter;
  for (char c = '0'; c <= '9'; ++c) kinds[static_cast<unsigned char>(c)] = Kind::digit;
  kinds['_'] = Kind::underscore;
  kinds['.'] = kinds['\''] = Kind::middle;    // joins letters, or digits
  kinds[','] = kinds[';'] = Kind::in_number;  // joins digits
  for (const char c : {'$', '+', '<', '=', '>', '^', '`', '|', '~'}) {
    kinds[static_cast<unsigned char>(c)] = Kind::symbol;
  }
  return kinds;
}();

constexpr std::array<char, 256> kLower = [] {
  std::array<char, 256> lower{};
  for (int c = 0; c < 256; ++c) {
    lower[static_cast<std::size_t>(c)] =
        static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  return lower;
}();

Kind kind(char c) { return kKinds[static_cast<unsigned char>(c) & 0x7f]; }
bool is_word_kind(Kind kind) {
  return kind == Kind::letter || kind == Kind::digit || kind == Kind::underscore;
}
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_ascii(std::string_view text) {
  unsigned char seen = 0;
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}
bool is_only_underscores(std::string_view text) {
  return text.find_first_not_of('_') == text.npos;
}

// ICU 72 treats @ as a letter; earlier and later versions do not. Here no word contains it.
constexpr char kAt = '@';
bool is_separator(char c) { return is_space(c) || c == kAt; }

// The first piece without separators at or after `from`; empty at the end.
std::string_view next_piece(std::string_view text, std::size_t from) {
  while (from < text.size() && is_separator(text[from])) ++from;
  std::size_t end = from;
  while (end < text.size() && !is_separator(text[end])) ++end;
  return text.substr(from, end - from);
}
bool only_spaces_between(std::string_view piece, std::string_view next) {
  const std::string_view gap(piece.data() + piece.size(), next.data());
  return gap.find(kAt) == gap.npos;
}
std::size_t end_in(std::string_view text, std::string_view piece) {
  return static_cast<std::size_t>(piece.data() - text.data()) + piece.size();
}

UChar32 first_character(std::string_view text) {
  UChar32 c = 0;
  U8_GET_OR_FFFD(reinterpret_cast<const std::uint8_t*>(text.data()), 0, 0,
                 static_cast<std::int32_t>(text.size()), c);
  return c;
}

UChar32 last_character(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return first_character(text.substr(at));
}

bool has_symbol(std::string_view text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t i = 0; i < size;) {
    UChar32 c = 0;
    U8_NEXT_OR_FFFD(bytes, i, size, c);
    if ((U_GET_GC_MASK(c) & U_GC_S_MASK) != 0) return true;
  }
  return false;
}

// Returns how many bytes of `rest`, the text after a word, belong to the word: a run of + or
// # after a letter, unless a letter follows it.
std::size_t name_suffix(std::string_view word, std::string_view rest) {
  const std::size_t run = std::min(rest.find_first_not_of("+#"), rest.size());
  if (run == 0 || !u_isalpha(last_character(word))) return 0;
  const bool joins = run < rest.size() && u_isalpha(first_character(rest.substr(run)));
  return joins ? 0 : run;
}

// The end of the word of ASCII characters that begins at `begin`.
std::size_t ascii_word_end(std::string_view text, std::size_t begin) {
  std::size_t at = begin + 1;
  for (; at < text.size(); ++at) {
    const Kind here = kind(text[at]);
    if (is_word_kind(here)) continue;
    if (here != Kind::middle && here != Kind::in_number) break;
    if (at + 1 == text.size()) break;
    const Kind before = kind(text[at - 1]), after = kind(text[at + 1]);
    const bool numbers = before == Kind::digit && after == Kind::digit;
    const bool letters = before == Kind::letter && after == Kind::letter;
    if (!numbers && !(letters && here == Kind::middle)) break;
  }
  return at;
}

}  // namespace

// "" is ICU's root locale, so that features do not depend on the user's locale.
struct WordFinder::Icu {
  Icu() {
    UErrorCode status = U_ZERO_ERROR;
    words = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
    cases = ucasemap_open("", 0, &status);
    nfc = icu::Normalizer2::getNFCInstance(status);
    require_icu(status);
  }
  ~Icu() {
    ubrk_close(words);
    ucasemap_close(cases);
    utext_close(&text);
  }
  Icu(const Icu&) = delete;
  Icu& operator=(const Icu&) = delete;

  UBreakIterator* words = nullptr;
  UCaseMap* cases = nullptr;
  const icu::Normalizer2* nfc = nullptr;
  UText text = UTEXT_INITIALIZER;
};

WordFinder::WordFinder(int rules, bool lower_case)
    : rules_(rules), lower_case_(lower_case), icu_(std::make_unique<Icu>()) {}
WordFinder::~WordFinder() = default;
WordFinder::WordFinder(WordFinder&&) noexcept = default;

const std::vector<std::string_view>& WordFinder::find(std::string_view text) {
  if (rules_ < 2) return find_by_icu(text);
  words_.clear();
  text = prepared(text);
  // Pieces that are not ASCII go to ICU together, because every call is costly.
  for (std::string_view piece = next_piece(text, 0); !piece.empty();) {
    std::string_view next = next_piece(text, end_in(text, piece));
    if (is_ascii(piece)) {
      add_ascii_words(piece);
    } else {
      const auto begin = static_cast<std::size_t>(piece.data() - text.data());
      while (!next.empty() && !is_ascii(next) && only_spaces_between(piece, next)) {
        piece = next;
        next = next_piece(text, end_in(text, piece));
      }
      add_all_words(text.substr(begin, end_in(text, piece) - begin));
    }
    piece = next;
  }
  return words_;
}

const std::vector<std::string_view>& WordFinder::find_by_icu(std::string_view text) {
  words_.clear();
  if (rules_ < 2) {
    add_plain_words(lower_case_ ? lowered(text) : text);
  } else {
    text = prepared(text);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(kAt, at), text.size());
      add_all_words(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return words_;
}

std::string_view WordFinder::lowered(std::string_view text) {
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    const auto size = ucasemap_utf8ToLower(
        icu_->cases, lowered_.data(), static_cast<std::int32_t>(lowered_.size()),
        text.data(), static_cast<std::int32_t>(text.size()), &status);
    if (status != U_BUFFER_OVERFLOW_ERROR) {
      require_icu(status);
      return std::string_view(lowered_).substr(0, static_cast<std::size_t>(size));
    }
    lowered_.resize(static_cast<std::size_t>(size) + 1);
  }
}

// For rules 2: composed characters (NFC), straight apostrophes, and lower case.
std::string_view WordFinder::prepared(std::string_view text) {
  if (is_ascii(text)) {
    if (!lower_case_) return text;
    if (lowered_.size() < text.size()) lowered_.resize(text.size());
    std::ranges::transform(text, lowered_.begin(),
                           [](char c) { return kLower[static_cast<unsigned char>(c)]; });
    return std::string_view(lowered_).substr(0, text.size());
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::StringPiece piece(text.data(), static_cast<std::int32_t>(text.size()));
  const bool curly = text.find(kCurlyApostrophe) != text.npos;
  if (curly || !icu_->nfc->isNormalizedUTF8(piece, status)) {
    normalised_.clear();
    icu::StringByteSink<std::string> sink(&normalised_);
    icu_->nfc->normalizeUTF8(0, piece, sink, nullptr, status);
    require_icu(status);
    for (std::size_t at = 0; (at = normalised_.find(kCurlyApostrophe, at)) != text.npos;) {
      normalised_.replace(at, kCurlyApostrophe.size(), "'");
    }
    text = normalised_;
  }
  require_icu(status);
  return lower_case_ ? lowered(text) : text;
}

template <class Visit>
void WordFinder::each_segment(std::string_view text, Visit visit) {
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&icu_->text, text.data(), static_cast<std::int64_t>(text.size()), &status);
  ubrk_setUText(icu_->words, &icu_->text, &status);
  require_icu(status);
  std::int32_t begin = ubrk_first(icu_->words);
  for (std::int32_t end = 0; (end = ubrk_next(icu_->words)) != UBRK_DONE; begin = end) {
    const bool is_word = ubrk_getRuleStatus(icu_->words) >= UBRK_WORD_NONE_LIMIT;
    visit(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), is_word);
  }
}

// Rules 1: the segments that contain a letter, a digit or an ideograph. Spaces and
// punctuation between them have the rule status "none".
void WordFinder::add_plain_words(std::string_view text) {
  each_segment(text, [&](std::size_t begin, std::size_t end, bool is_word) {
    if (is_word) words_.push_back(text.substr(begin, end - begin));
  });
}

// Rules 2: also the segments that contain a symbol, such as emoji.
void WordFinder::add_all_words(std::string_view text) {
  std::size_t done = 0;  // the end of the word found last, with its + and #
  each_segment(text, [&](std::size_t begin, std::size_t end, bool is_word) {
    if (begin < done) return;
    const std::string_view segment = text.substr(begin, end - begin);
    if (!is_word) return add_symbol(segment);
    if (is_only_underscores(segment)) return;
    done = end + name_suffix(segment, text.substr(end));
    words_.push_back(text.substr(begin, done - begin));
  });
}

void WordFinder::add_symbol(std::string_view segment) {
  while (!segment.empty() && is_space(segment.front())) segment.remove_prefix(1);
  while (!segment.empty() && is_space(segment.back())) segment.remove_suffix(1);
  if (has_symbol(segment)) words_.push_back(segment);
}

void WordFinder::add_ascii_words(std::string_view piece) {
  for (std::size_t at = 0; at < piece.size();) {
    const Kind here = kind(piece[at]);
    std::size_t end = at + 1;
    if (is_word_kind(here)) {
      end = ascii_word_end(piece, at);
      const std::string_view word = piece.substr(at, end - at);
      if (!is_only_underscores(word)) {
        if (end < piece.size()) end += name_suffix(word, piece.substr(end));
        words_.push_back(piece.substr(at, end - at));
      }
    } else if (here == Kind::symbol) {
      words_.push_back(piece.substr(at, 1));
    }
    at = end;
  }
}

}  // namespace megadapt::corpus
