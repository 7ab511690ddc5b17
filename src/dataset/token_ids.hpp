#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features/features.hpp"
#include "features/sentence_table.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt::sequence {

/// Gives ids to the names of features and to slots of tag features.
class Numbering {
 public:
  virtual ~Numbering() = default;
  virtual std::uint32_t feature(std::string_view name) = 0;  ///< kNone: the name is unknown
  /// The slot of tag template `index` whose features are named `before` + TAG + `after`.
  virtual std::uint32_t slot(std::size_t index, std::string_view before,
                             std::string_view after) = 0;
};

/// The features of the tokens of a sentence as ids. A feature of a single word is looked up
/// once per distinct word. Conjunctions are looked up for every token, except for pairs
/// that occurred recently.
class TokenIds {
 public:
  TokenIds(const FeatureTemplate& features, const std::vector<Gazetteer>& gazetteers,
           const std::string& language, Numbering& numbering);

  void set(const Sentence& sentence);
  std::size_t size() const { return table_.size(); }
  /// Appends the feature ids of token `t`, each once.
  void append_context(std::size_t t, std::vector<std::uint32_t>& to);
  /// The slot of tag template `k` at token `t`; kNone if it has no feature there.
  std::uint32_t slot(std::size_t t, std::size_t k);
  std::size_t num_tag_templates() const { return parsed_.tags.size(); }
  std::size_t left_out() const { return left_out_; }

 private:
  static constexpr std::uint32_t kUnknown = kNone - 1;  // not looked up yet
  static constexpr std::uint32_t kNothing = kNone - 2;  // the word has no such feature

  // A template with a single part: its ids are in a column of the cache of its table.
  struct Single {
    std::size_t table = 0, column = 0;
    std::ptrdiff_t offset = 0;
    std::size_t made = 0;  // index of the template
  };
  // Ids by symbol; those of one symbol are adjacent.
  struct Cache {
    std::size_t width = 0;
    std::vector<std::uint32_t> number;  // [symbols][width]
    std::uint32_t& at(std::uint32_t symbol, std::size_t column);
  };

  // A template with several parts. With two parts, the ids of recent pairs of symbols are
  // cached; a pair has one possible place in the cache.
  struct Conjunction {
    struct Known {
      std::uint64_t pair = kNoPair;
      std::uint32_t number = 0;
    };
    static constexpr std::uint64_t kNoPair = ~std::uint64_t{0};
    static constexpr std::size_t kPlaces = 4096;

    std::size_t made = 0;               // index of the template
    std::size_t first = 0, second = 0;  // tables of the two parts
    std::vector<Known> known = {};      // [kPlaces], or empty if there are more parts

    Known& place_of(std::uint64_t pair) { return known[(pair * 0x9e3779b97f4a7c15) >> 52]; }
  };

  Single place(const features::Template& made, std::size_t index);
  Conjunction conjunction(std::size_t index) const;
  std::uint32_t number_of(Conjunction& conjunction, std::size_t t);
  std::uint32_t looked_up(const features::Template& made, std::size_t t);
  void append(std::uint32_t number, std::vector<std::uint32_t>& to);
  bool append_values(const features::Template& made, std::size_t t, bool leading);
  std::uint32_t single_slot(std::size_t k, std::size_t t);

  const FeatureTemplate::Parsed& parsed_;
  features::SentenceTable table_;
  Numbering& numbering_;
  std::vector<Single> singles_;            // context templates with one part
  std::vector<Conjunction> conjunctions_;  // context templates with several parts
  std::vector<Single> tag_singles_;        // [tag templates]; used if there is one part
  std::vector<std::uint32_t> tag_plain_;   // [tag templates]; the slot if there is no part
  std::vector<Cache> caches_;              // [tables]
  std::string name_;
  std::size_t left_out_ = 0;
};

}  // namespace megadapt::sequence
