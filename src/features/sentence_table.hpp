#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "features/features.hpp"
#include "features/gazetteers.hpp"
#include "features/parsed_template.hpp"
#include "features/word_table.hpp"

namespace megadapt::features {

/// One sentence as small numbers: the symbol of every token in every table (words, each
/// column, each column of classes, each gazetteer, edges). A symbol keeps its meaning from
/// sentence to sentence until forget() is called, so callers can cache by symbol.
class SentenceTable {
 public:
  SentenceTable(const FeatureTemplate::Parsed& features,
                const std::vector<Gazetteer>& gazetteers, const std::string& language);

  void set(const Sentence& sentence);
  std::size_t size() const { return words_of_.size(); }

  static constexpr std::size_t kWords = 0;
  std::size_t num_tables() const {
    return 2 + columns_.size() + num_classes_ + trees_.size();
  }
  std::size_t table_of(const Atom& atom) const;

  /// Returns the symbol of a table at a position, which may be outside of the sentence;
  /// kNone if there is none. Not for Source::length.
  std::uint32_t symbol(std::size_t table, std::ptrdiff_t position) const;
  /// Returns the value of `atom` for a symbol of its table; empty if it has none.
  std::string_view value(const Atom& atom, std::uint32_t symbol) const;

  std::size_t num_words() const { return words_.size(); }  ///< distinct words so far
  void forget();

 private:
  void add_classes(std::string_view word);

  WordTable words_;
  WordClasses classes_;
  std::size_t num_classes_;                   // columns of classes
  std::vector<std::string> class_names_;      // escaped
  std::vector<std::uint32_t> class_of_word_;  // [words][columns of classes]
  std::deque<WordTable> columns_;
  std::vector<PhraseTree> trees_;
  std::vector<std::uint32_t> words_of_;                 // [tokens]
  std::vector<std::vector<std::uint32_t>> columns_of_;  // [columns][tokens]
  std::vector<std::vector<std::uint8_t>> marks_;        // [gazetteers][tokens]
  std::vector<std::string_view> lower_;
  std::vector<std::string> lower_text_;
};

}  // namespace megadapt::features
