#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::sentences {

/// Bytes [begin, end) of a text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Splits running text into sentences and tokens by the rules of docs/formats.md: ICU's
/// boundaries of sentences (with the abbreviations it knows of the language) and of words
/// (UAX #29), and TokenRules.
class ProseSplitter {
 public:
  /// With `ignore_case`, sentences are found without looking at capital letters, as in text
  /// whose case is to be restored.
  ProseSplitter(const std::string& language, const TokenRules& rules, bool ignore_case);
  ~ProseSplitter();
  ProseSplitter(ProseSplitter&&) noexcept;

  /// Returns the tokens of each sentence. Every character that is not white space belongs
  /// to exactly one token. `text` must be UTF-8; a line break counts as a space.
  std::vector<std::vector<TextSpan>> split(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns true if punctuation touches the words of a text, as in "Yes, sir", and false
/// if it is a token of its own, as in "Yes , sir".
bool looks_like_prose(std::string_view sample);

/// Finds out how a corpus splits words.
class TokenRuleCounter {
 public:
  void add(std::string_view token);
  /// The more frequent way; `false` where the corpus shows none.
  TokenRules rules() const;

 private:
  std::size_t split_contractions_ = 0, whole_contractions_ = 0;
  std::size_t split_hyphens_ = 0, whole_hyphens_ = 0;
};

}  // namespace megadapt::sentences
