#include "sentences/prose_splitter.hpp"

#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/icu_status.hpp"
#include "sentences/word_pieces.hpp"

namespace megadapt::sentences {
namespace {

using Breaks = std::unique_ptr<icu::BreakIterator>;

// The languages whose abbreviations ICU knows, by the names of --language.
icu::Locale locale_of(std::string_view language) {
  constexpr std::array<std::pair<std::string_view, const char*>, 7> kLocales = {
      {{"english", "en"},
       {"french", "fr"},
       {"german", "de"},
       {"italian", "it"},
       {"portuguese", "pt"},
       {"russian", "ru"},
       {"spanish", "es"}}};
  for (const auto& [name, code] : kLocales) {
    if (name == language) return icu::Locale(code);
  }
  return icu::Locale::getRoot();
}

Breaks sentence_breaks(const icu::Locale& locale) {
  UErrorCode status = U_ZERO_ERROR;
  Breaks breaks(icu::BreakIterator::createSentenceInstance(locale, status));
  require_icu(status);
  const std::unique_ptr<icu::FilteredBreakIteratorBuilder> abbreviations(
      icu::FilteredBreakIteratorBuilder::createInstance(locale, status));
  require_icu(status);
  Breaks filtered(abbreviations->wrapIteratorWithFilter(breaks.release(), status));
  require_icu(status);
  return filtered;
}

Breaks word_breaks(const icu::Locale& locale) {
  UErrorCode status = U_ZERO_ERROR;
  Breaks breaks(icu::BreakIterator::createWordInstance(locale, status));
  require_icu(status);
  return breaks;
}

/// Lets an iterator run over UTF-8; its boundaries are then bytes.
class Utf8Text {
 public:
  Utf8Text(std::string_view text, icu::BreakIterator& breaks) {
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&text_, text.data(), static_cast<std::int64_t>(text.size()), &status);
    breaks.setText(&text_, status);
    require_icu(status);
  }
  ~Utf8Text() { utext_close(&text_); }
  Utf8Text(const Utf8Text&) = delete;
  Utf8Text& operator=(const Utf8Text&) = delete;

 private:
  UText text_ = UTEXT_INITIALIZER;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns the text with spaces in place of line breaks, at which ICU would end a sentence.
std::string spaced(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) {
    if (c == '\n' || c == '\r' || c == '\v' || c == '\f') c = ' ';
  }
  return copy;
}

// Capitalises every word, so that ICU's rules cannot use the case of the word after a full
// stop. Changes ASCII letters only, so that bytes keep their places.
void capitalise_words(std::string& text) {
  const auto continues_word = [](char c) {
    return is_letter(c) || is_digit(c) || c == '\'' || c == '.' || (c & 0x80) != 0;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_letter(text[i])) continue;
    const bool first = i == 0 || !continues_word(text[i - 1]);
    text[i] = static_cast<char>(first ? text[i] & ~0x20 : text[i] | 0x20);
  }
}

// Returns whether the sentence does not end at `boundary` although ICU says so: where no
// space follows (`a.example/?q`), after an initial (`J. Smith`, but not `so did I.`) and,
// if case is ignored, after an abbreviation with a full stop inside (`e.g.`).
bool goes_on(std::string_view text, std::size_t boundary, bool ignore_case) {
  std::string_view before = text.substr(0, boundary);
  const char last = before.back();
  if (last != ' ' && last != '\t' && (last & 0x80) == 0) return true;
  before = before.substr(0, before.find_last_not_of(' ') + 1);
  if (!before.ends_with('.')) return false;
  before.remove_suffix(1);
  const std::string_view word = before.substr(before.find_last_of(" (\"'") + 1);
  if (word.size() == 1) return is_letter(word[0]) && (word[0] | 0x20) != 'i';
  const std::size_t inside = word.find('.');
  return ignore_case && inside != word.npos && inside > 0 && is_letter(word[0]) &&
         !word.ends_with('.');
}

bool is_white(std::string_view text, std::size_t at, std::size_t& next) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  auto i = static_cast<std::int32_t>(at);
  UChar32 c = 0;
  U8_NEXT(bytes, i, static_cast<std::int32_t>(text.size()), c);
  next = static_cast<std::size_t>(i);
  return c >= 0 && u_isUWhiteSpace(c);
}

// ICU puts white space before a combining mark into one piece with the mark. The white
// space is not part of a token.
Piece piece_of(std::string_view text, std::size_t begin, std::size_t end, bool word) {
  for (std::size_t next = begin; begin < end && is_white(text, begin, next);) begin = next;
  return {{begin, end},
          begin == end ? Piece::Kind::space
          : word       ? Piece::Kind::word
                       : Piece::Kind::other};
}

}  // namespace

struct ProseSplitter::Impl {
  TokenRules rules;
  bool ignore_case;
  Breaks sentences, words;

  std::vector<std::size_t> sentence_ends(std::string text) const {
    if (ignore_case) capitalise_words(text);
    std::vector<std::size_t> ends;
    const Utf8Text open(text, *sentences);
    for (std::int32_t at = sentences->next(); at != icu::BreakIterator::DONE;
         at = sentences->next()) {
      const auto end = static_cast<std::size_t>(at);
      if (end < text.size() && goes_on(text, end, ignore_case)) continue;
      ends.push_back(end);
    }
    return ends;
  }

  std::vector<Piece> pieces(std::string_view text) const {
    std::vector<Piece> all;
    const Utf8Text open(text, *words);
    std::size_t begin = 0;
    for (std::int32_t at = words->next(); at != icu::BreakIterator::DONE;
         at = words->next()) {
      const auto end = static_cast<std::size_t>(at);
      all.push_back(
          piece_of(text, begin, end, words->getRuleStatus() >= UBRK_WORD_NONE_LIMIT));
      begin = end;
    }
    return all;
  }
};

ProseSplitter::ProseSplitter(const std::string& language, const TokenRules& rules,
                             bool ignore_case)
    : impl_(std::make_unique<Impl>(Impl{rules, ignore_case,
                                        sentence_breaks(locale_of(language)),
                                        word_breaks(locale_of(language))})) {}
ProseSplitter::~ProseSplitter() = default;
ProseSplitter::ProseSplitter(ProseSplitter&&) noexcept = default;

std::vector<std::vector<TextSpan>> ProseSplitter::split(std::string_view text) {
  const std::string copy = spaced(text);
  const std::vector<Piece> pieces = impl_->pieces(copy);
  std::vector<std::vector<TextSpan>> sentences;
  auto next = pieces.begin();
  for (const std::size_t end : impl_->sentence_ends(copy)) {
    std::vector<Piece> own;
    for (; next != pieces.end() && next->begin < end; ++next) own.push_back(*next);
    std::vector<TextSpan> tokens = tokens_of(copy, own, impl_->rules);
    if (!tokens.empty()) sentences.push_back(std::move(tokens));
  }
  return sentences;
}

namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Whether the full stop of `word` ends a sentence within a line: a word in lower case or a
// number before it, a capital after it. In "Mr. Smith" and "p.m. The" it does not.
bool ends_sentence(std::string_view word, std::string_view rest) {
  word.remove_suffix(1);
  const bool plain =
      std::ranges::none_of(word, [](char c) { return c == '.' || (c >= 'A' && c <= 'Z'); });
  const std::size_t next = rest.find_first_not_of(kSpace);
  return plain && !word.empty() && next != rest.npos && rest[next] >= 'A' &&
         rest[next] <= 'Z';
}

}  // namespace

bool looks_like_prose(std::string_view sample) {
  constexpr std::string_view kMarks = ",;:?!)\"";
  std::size_t glued = 0, alone = 0;
  while ((sample.remove_prefix(std::min(sample.find_first_not_of(kSpace), sample.size())),
          !sample.empty())) {
    const std::size_t size = std::min(sample.find_first_of(kSpace), sample.size());
    const std::string_view word = sample.substr(0, size);
    const bool ends_line =
        size == sample.size() || sample[size] == '\n' || sample[size] == '\r';
    sample.remove_prefix(size);
    const bool stop = word.back() == '.';
    if (!stop && kMarks.find(word.back()) == kMarks.npos) continue;
    const bool has_word = std::ranges::any_of(
        word, [](char c) { return is_letter(c) || is_digit(c) || (c & 0x80) != 0; });
    if (!has_word) {
      alone += word.size() == 1 || word == "...";
    } else {
      glued += !stop || ends_line || ends_sentence(word, sample);
    }
  }
  return glued > alone;
}

void TokenRuleCounter::add(std::string_view token) {
  const std::size_t hyphen = token.find('-');
  if (token == "-") {
    ++split_hyphens_;
  } else if (hyphen != token.npos && hyphen > 0 && hyphen + 1 < token.size()) {
    whole_hyphens_ += is_letter(token[hyphen - 1]) && is_letter(token[hyphen + 1]);
  }
  if (token.find('\'') == token.npos && token.find("\u2019") == token.npos) return;
  whole_contractions_ += contraction_at_end(token) > 0;
  // contraction_at_end() needs something before the contraction, so put a letter there.
  std::string after_a_letter(1, 'x');
  after_a_letter += token;
  split_contractions_ += contraction_at_end(after_a_letter) == token.size();
}

TokenRules TokenRuleCounter::rules() const {
  return {.split_contractions = split_contractions_ > whole_contractions_,
          .split_hyphens = split_hyphens_ > whole_hyphens_};
}

}  // namespace megadapt::sentences
