#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "megadapt/corpus.hpp"
#include "megadapt/words.hpp"

namespace megadapt::words {

/// How often a word stands before or after another one.
struct Neighbour {
  std::uint32_t word = 0;
  std::uint32_t count = 0;
  bool operator==(const Neighbour&) const = default;
};

/// The pairs of adjacent words of a text. The words are numbered from the most frequent one
/// on. Two more symbols follow them: the border of sentences, and any rare word.
struct Bigrams {
  NameIndex words;
  std::vector<std::uint64_t> count;                      ///< [symbols]
  std::uint64_t tokens = 0;                              ///< without the borders
  std::vector<std::uint64_t> after_begin, before_begin;  ///< [symbols + 1]
  std::vector<Neighbour> after, before;

  std::size_t num_symbols() const { return count.size(); }
  std::span<const Neighbour> after_of(std::uint32_t symbol) const {
    return std::span(after).subspan(after_begin[symbol],
                                    after_begin[symbol + 1] - after_begin[symbol]);
  }
  std::span<const Neighbour> before_of(std::uint32_t symbol) const {
    return std::span(before).subspan(before_begin[symbol],
                                     before_begin[symbol + 1] - before_begin[symbol]);
  }
};

/// Collects the sentences of a text.
class BigramCounter {
 public:
  void add(std::span<const std::string_view> sentence);
  std::uint64_t tokens() const { return tokens_; }
  /// Words with fewer than `min_count` occurrences become the symbol of rare words.
  Bigrams finish(std::uint64_t min_count);

 private:
  static constexpr std::uint32_t kBorder = kNone;
  NameIndex words_;
  std::vector<std::uint64_t> count_;
  std::vector<std::uint32_t> text_;  // the words in order, with kBorder between sentences
  std::uint64_t tokens_ = 0;
};

}  // namespace megadapt::words
