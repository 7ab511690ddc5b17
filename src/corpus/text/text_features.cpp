#include "corpus/text/text_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/messages.hpp"

namespace megadapt {
namespace corpus {
namespace {

constexpr int kLongestNgram = 20;

const TextOptions& checked(const TextOptions& options) {
  const auto fits = [](int n) { return n >= 0 && n <= kLongestNgram; };
  if (!fits(options.word_ngrams) || !fits(options.char_ngrams)) {
    throw UsageError(
        fmt::format("n-grams of text have a length from 0 to {}", kLongestNgram));
  }
  if (options.word_ngrams == 0 && options.char_ngrams == 0) {
    throw UsageError("text gives no features: neither word nor character n-grams",
                     "ask for words (1) or character n-grams (3)");
  }
  return options;
}

// The first eight bytes as a number; short names are padded with zero bytes, which no text
// contains.
std::uint64_t start_of(std::string_view name) {
  std::uint64_t start = 0;
  const std::size_t size = std::min(name.size(), sizeof start);
  for (std::size_t i = 0; i < size; ++i) {
    start |= std::uint64_t{static_cast<unsigned char>(name[i])} << (56 - 8 * i);
  }
  return start;
}

}  // namespace

TextFeatures::TextFeatures(const TextOptions& options)
    : options_(checked(options)), words_(options.word_rules, options.lower_case) {
  for (const std::string& column : options_.classes.columns()) {
    for (std::uint32_t i = 0; i < options_.classes.num_names(); ++i) {
      class_names_.push_back(fmt::format("{}={}", column, options_.classes.name(i)));
    }
  }
}

void TextFeatures::append(std::string_view text, std::vector<NamedFeature>& features) {
  composed_.clear();
  ends_.clear();
  names_.clear();
  const std::vector<std::string_view>& words = words_.find(text);
  if (options_.word_ngrams > 0) {
    for (const std::string_view word : words) add_name(word);
    add_word_ngrams(words);
  }
  if (options_.char_ngrams > 0) {
    for (const std::string_view word : words) add_char_ngrams(word);
  }
  if (!class_names_.empty()) {
    for (const std::string_view word : words) add_classes(word);
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    add_name(std::string_view(composed_).substr(begin, end - begin));
    begin = end;
  }
  std::sort(names_.begin(), names_.end());
  for (auto first = names_.begin(); first != names_.end();) {
    auto last = first + 1;
    while (last != names_.end() && last->name == first->name) ++last;
    features.push_back({first->name, value(static_cast<std::size_t>(last - first))});
    first = last;
  }
}

void TextFeatures::add_name(std::string_view name) {
  names_.push_back({start_of(name), name});
}

void TextFeatures::add_classes(std::string_view word) {
  const auto ids = options_.classes.find(word);
  for (std::size_t c = 0; c < ids.size(); ++c) {
    if (ids[c] != kNone) add_name(class_names_[c * options_.classes.num_names() + ids[c]]);
  }
}

float TextFeatures::value(std::size_t count) const {
  if (count == 1 || options_.weights == TextWeights::binary) return 1;
  const auto times = static_cast<double>(count);
  return static_cast<float>(options_.weights == TextWeights::counts ? times
                                                                    : 1 + std::log(times));
}

// Sequences of two and more words.
void TextFeatures::add_word_ngrams(const std::vector<std::string_view>& words) {
  for (std::size_t first = 0; first < words.size(); ++first) {
    const std::size_t longest =
        std::min(static_cast<std::size_t>(options_.word_ngrams), words.size() - first);
    for (std::size_t n = 2; n <= longest; ++n) {
      composed_ += words[first];
      for (std::size_t i = 1; i < n; ++i) {
        composed_ += '_';
        composed_ += words[first + i];
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
      fmt::format_to(std::back_inserter(composed_), "c{}=", n);
      composed_ += word.substr(starts_[i], starts_[i + n] - starts_[i]);
      end_name();
    }
  }
}

}  // namespace corpus

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 4> kWeights = {"binary", "counts", "log-counts",
                                                      "tfidf"};

}  // namespace

TextWeights parse_text_weights(std::string_view name) {
  return static_cast<TextWeights>(
      index_of_name(name, kWeights, "no weights of text are called '{}'"));
}

std::span<const std::string_view> text_weights_names() { return kWeights; }

std::string_view text_weights_name(TextWeights weights) {
  return kWeights[static_cast<std::size_t>(weights)];
}

}  // namespace megadapt
