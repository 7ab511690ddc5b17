#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megadapt::features {

/// Upper-case letters become `X`, lower-case `x`, letters without case `o`, digits `d`.
/// Marks are dropped; everything else stays. Runs of a character are cut to four.
std::string word_shape(std::string_view word);

/// The kinds of characters in a word (alpha, digit, punct, symbol, other), joined by `+`.
std::string word_kind(std::string_view word);

/// Finds the boundaries of user-perceived characters (grapheme clusters of UAX #29).
class Characters {
 public:
  Characters();
  ~Characters();
  Characters(const Characters&) = delete;
  Characters& operator=(const Characters&) = delete;

  /// Returns where each character begins, and where the last one ends. Valid until the next
  /// call.
  const std::vector<std::size_t>& boundaries(std::string_view word);

 private:
  struct Icu;
  Icu* icu_;
  std::vector<std::size_t> boundaries_;
};

}  // namespace megadapt::features
