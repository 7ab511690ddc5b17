#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/text/words.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// Turns running text into word and character n-grams; each occurs once per text.
class TextFeatures {
 public:
  /// Throws UsageError for options that would give no features or too many.
  explicit TextFeatures(const TextOptions& options);

  /// Appends the features of `text`, sorted by the bytes of their names. The names are valid
  /// until the next call, and as long as `text`. The values are those of TextWeights, without
  /// idf.
  void append(std::string_view text, std::vector<NamedFeature>& features);

 private:
  // A name with its first bytes as a number of the same order, which is fast to compare.
  struct Name {
    std::uint64_t start;
    std::string_view name;
    bool operator<(const Name& other) const {
      return start != other.start ? start < other.start : name < other.name;
    }
  };

  void add_word_ngrams(const std::vector<std::string_view>& words);
  void add_char_ngrams(std::string_view word);
  void add_classes(std::string_view word);
  void end_name() { ends_.push_back(composed_.size()); }
  void add_name(std::string_view name);
  float value(std::size_t count) const;

  TextOptions options_;
  WordFinder words_;
  std::vector<std::string> class_names_;  // [columns][names]: the names of features
  std::vector<std::size_t> starts_;       // where the characters of a word begin
  std::string composed_;                  // names other than words, concatenated
  std::vector<std::size_t> ends_;
  std::vector<Name> names_;
};

}  // namespace megadapt::corpus
