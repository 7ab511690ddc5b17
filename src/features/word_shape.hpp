#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace megadapt::features {

/// Upper-case letters become `X`, lower-case `x`, letters without case `o`, digits `d`;
/// marks are dropped, everything else stays. A run of one character is cut to four.
std::string word_shape(std::string_view word);

/// What a word is made of: `alpha`, `digit`, `punct`, `symbol`, `other`, joined by `+`.
std::string word_kind(std::string_view word);

/// Where the characters of a word begin as readers see them (grapheme clusters of UAX #29),
/// and where the last one ends.
class Characters {
 public:
  Characters();
  ~Characters();
  Characters(const Characters&) = delete;
  Characters& operator=(const Characters&) = delete;

  /// Valid until the next call.
  const std::vector<std::size_t>& boundaries(std::string_view word);

 private:
  struct Icu;
  Icu* icu_;
  std::vector<std::size_t> boundaries_;
};

}  // namespace megadapt::features
