#include "corpus/text_features.hpp"

#include <fmt/format.h>
#include <unicode/ubrk.h>
#include <unicode/ucasemap.h>
#include <unicode/utext.h>

#include <algorithm>
#include <iterator>

namespace megadapt::corpus {
namespace {

constexpr int kLongestNgram = 20;

void require(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw ResourceError(fmt::format("ICU: {}", u_errorName(status)),
                        "check that ICU and its data are installed");
  }
}

void check(const TextOptions& options) {
  const auto fits = [](int n) { return n >= 0 && n <= kLongestNgram; };
  if (!fits(options.word_ngrams) || !fits(options.char_ngrams)) {
    throw UsageError(
        fmt::format("n-grams of text have a length from 0 to {}", kLongestNgram));
  }
  if (options.word_ngrams == 0 && options.char_ngrams == 0) {
    throw UsageError("text gives no features: neither word nor character n-grams",
                     "ask for words (1) or character n-grams (3)");
  }
}

}  // namespace

// "" is ICU's root locale, so that features do not depend on the user's locale.
struct TextFeatures::Icu {
  Icu() {
    UErrorCode status = U_ZERO_ERROR;
    words = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
    cases = ucasemap_open("", 0, &status);
    require(status);
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
  UText text = UTEXT_INITIALIZER;
};

TextFeatures::TextFeatures(const TextOptions& options) : options_(options) {
  check(options_);
  icu_ = std::make_unique<Icu>();
}
TextFeatures::~TextFeatures() = default;
TextFeatures::TextFeatures(TextFeatures&&) noexcept = default;

void TextFeatures::extract(std::string_view text, std::vector<NamedFeature>& features) {
  names_.clear();
  ends_.clear();
  find_words(in_case(text));
  add_word_ngrams();
  if (options_.char_ngrams > 0) {
    for (const std::string_view word : words_) add_char_ngrams(word);
  }

  features.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    features.push_back({std::string_view(names_).substr(begin, end - begin), 1});
    begin = end;
  }
  std::ranges::sort(features, {}, &NamedFeature::name);
  const auto same_name = [](const NamedFeature& a, const NamedFeature& b) {
    return a.name == b.name;
  };
  features.erase(std::unique(features.begin(), features.end(), same_name), features.end());
}

std::string_view TextFeatures::in_case(std::string_view text) {
  if (!options_.lower_case) return text;
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    const auto size = ucasemap_utf8ToLower(
        icu_->cases, lowered_.data(), static_cast<std::int32_t>(lowered_.size()),
        text.data(), static_cast<std::int32_t>(text.size()), &status);
    if (status != U_BUFFER_OVERFLOW_ERROR) {
      require(status);
      return std::string_view(lowered_).substr(0, static_cast<std::size_t>(size));
    }
    lowered_.resize(static_cast<std::size_t>(size) + 1);
  }
}

// Words are the segments of Unicode's UAX #29 that contain a letter, a digit or an
// ideograph. Spaces and punctuation between them have the rule status "none".
void TextFeatures::find_words(std::string_view text) {
  words_.clear();
  UErrorCode status = U_ZERO_ERROR;
  utext_openUTF8(&icu_->text, text.data(), static_cast<std::int64_t>(text.size()), &status);
  ubrk_setUText(icu_->words, &icu_->text, &status);
  require(status);
  std::int32_t begin = ubrk_first(icu_->words);
  for (std::int32_t end = 0; (end = ubrk_next(icu_->words)) != UBRK_DONE; begin = end) {
    if (ubrk_getRuleStatus(icu_->words) < UBRK_WORD_NONE_LIMIT) continue;
    words_.push_back(text.substr(static_cast<std::size_t>(begin),
                                 static_cast<std::size_t>(end - begin)));
  }
}

void TextFeatures::add_word_ngrams() {
  for (std::size_t first = 0; first < words_.size(); ++first) {
    const std::size_t longest =
        std::min(static_cast<std::size_t>(options_.word_ngrams), words_.size() - first);
    for (std::size_t n = 1; n <= longest; ++n) {
      names_ += words_[first];
      for (std::size_t i = 1; i < n; ++i) {
        names_ += '_';
        names_ += words_[first + i];
      }
      end_name();
    }
  }
}

void TextFeatures::add_char_ngrams(std::string_view word) {
  starts_.clear();
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((static_cast<unsigned char>(word[i]) & 0xc0) != 0x80) starts_.push_back(i);
  }
  starts_.push_back(word.size());
  const auto longest = static_cast<std::size_t>(options_.char_ngrams);
  for (std::size_t n = 1; n <= longest; ++n) {
    for (std::size_t i = 0; i + n < starts_.size(); ++i) {
      fmt::format_to(std::back_inserter(names_), "c{}=", n);
      names_ += word.substr(starts_[i], starts_[i + n] - starts_[i]);
      end_name();
    }
  }
}

}  // namespace megadapt::corpus
