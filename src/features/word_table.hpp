#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/stemmer.hpp"
#include "features/word_shape.hpp"
#include "megadapt/corpus.hpp"
#include "sentences/attributes.hpp"

namespace megadapt::features {

/// Distinct words with their attributes, which are computed once per word.
class WordTable {
 public:
  static constexpr std::uint32_t kBefore = 0;  ///< the border before the first word
  static constexpr std::uint32_t kBehind = 1;  ///< the border after the last word

  /// `attributes`: bit a must be set for every Attribute that value() will be asked for.
  WordTable(std::uint32_t attributes, const std::string& language);

  std::uint32_t add(std::string_view word);
  /// Returns an attribute, escaped for use in a feature's name; empty if the word does not
  /// have it.
  std::string_view value(std::uint32_t word, Attribute attribute) const {
    const Slice slice =
        values_[word * kNumAttributes + static_cast<std::size_t>(attribute)];
    return {text_.data() + slice.begin, slice.size};
  }
  std::uint32_t size() const { return words_.size(); }
  void clear();

 private:
  struct Slice {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
  };

  bool wants(Attribute attribute) const {
    return (attributes_ >> static_cast<unsigned>(attribute)) & 1;
  }
  void set(Attribute attribute, std::string_view value);
  void add_border(std::string_view mark);
  void set_affixes();

  std::uint32_t attributes_;
  Stemmer stemmer_;
  Characters characters_;
  NameIndex words_;
  std::vector<Slice> values_;  // [words][kNumAttributes]
  std::string text_;
  std::string lower_;
};

/// Appends `value`, escaped for use in names: `\s` for a space, `\|` for '|', `\\` for '\',
/// `\xNN` for a control character.
void append_escaped(std::string_view value, std::string& out);

}  // namespace megadapt::features
