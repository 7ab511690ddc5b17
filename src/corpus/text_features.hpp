#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

struct UBreakIterator;
struct UCaseMap;

namespace megadapt::corpus {

/// Turns running text into word and character n-grams; each occurs once per text.
class TextFeatures {
 public:
  /// Throws UsageError for options that would give no features or too many.
  explicit TextFeatures(const TextOptions& options);
  ~TextFeatures();
  TextFeatures(TextFeatures&&) noexcept;

  /// Replaces `features` by those of `text`, sorted by the bytes of their names. The names
  /// are valid until the next call.
  void extract(std::string_view text, std::vector<NamedFeature>& features);

 private:
  struct Icu;

  std::string_view in_case(std::string_view text);
  void find_words(std::string_view text);
  void add_word_ngrams();
  void add_char_ngrams(std::string_view word);
  void end_name() { ends_.push_back(names_.size()); }

  TextOptions options_;
  std::unique_ptr<Icu> icu_;
  std::string lowered_;
  std::vector<std::string_view> words_;
  std::vector<std::size_t> starts_;  // where the characters of a word begin
  std::string names_;                // names of all features, concatenated
  std::vector<std::size_t> ends_;
};

}  // namespace megadapt::corpus
