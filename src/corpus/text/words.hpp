#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt::corpus {

/// Finds the words of a text by rules 1 (those of version 0.1) or 2; see docs/formats.md.
class WordFinder {
 public:
  WordFinder(int rules, bool lower_case);
  ~WordFinder();
  WordFinder(WordFinder&&) noexcept;

  /// The words in their order. They are valid until the next call, and as long as `text`.
  const std::vector<std::string_view>& find(std::string_view text);
  /// The same words without the fast path for ASCII, which tests compare with this one.
  const std::vector<std::string_view>& find_by_icu(std::string_view text);

 private:
  struct Icu;

  std::string_view lowered(std::string_view text);
  std::string_view prepared(std::string_view text);
  void add_plain_words(std::string_view text);
  void add_all_words(std::string_view text);
  void add_symbol(std::string_view segment);
  void add_ascii_words(std::string_view piece);
  template <class Visit>
  void each_segment(std::string_view text, Visit visit);

  int rules_;
  bool lower_case_;
  std::unique_ptr<Icu> icu_;
  std::string normalised_;
  std::string lowered_;
  std::vector<std::string_view> words_;
};

}  // namespace megadapt::corpus
