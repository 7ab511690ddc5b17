#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt {

/// How many words of a class are shown in place of its name.
inline constexpr std::size_t kShownWords = 3;

/// The contents of WordClasses.
struct WordClassTable {
  std::vector<std::string> columns = {};
  NameIndex words = {};                 ///< the most frequent first
  NameIndex names = {};                 ///< of classes
  std::vector<std::uint32_t> ids = {};  ///< [words][columns]: a name, or kNone
  std::string digest = {};              ///< set by WordClasses
  /// [columns][names][kShownWords]: the first words of each class, kNone if it has fewer. Set
  /// by WordClasses.
  std::vector<std::uint32_t> shown = {};
};

/// The largest number of columns of classes.
inline constexpr std::size_t kMostClassColumns = 16;

/// Returns the words that stand for the classes in the name of a feature: `monday, friday,
/// sunday` for `class512[-1]=B17`, with `; ` between those of several classes. Returns "" if
/// the feature has no class.
std::string class_words(const WordClasses& classes, std::string_view feature);

/// Returns what is wrong with the name of a column of classes, or "".
std::string class_column_problem(std::string_view name);

}  // namespace megadapt
