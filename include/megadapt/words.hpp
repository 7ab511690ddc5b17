#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

struct WordClassTable;

/// Classes of words, in one or more columns: `monday` has the class A3 in the column class64
/// and B17 in class512. Templates name the columns. Immutable, and cheap to copy.
class WordClasses {
 public:
  WordClasses() = default;  ///< no classes
  explicit WordClasses(WordClassTable table);

  bool empty() const { return !table_; }
  std::span<const std::string> columns() const;
  std::size_t num_words() const;
  std::size_t num_names() const;  ///< of classes in all columns
  std::string_view name(std::uint32_t id) const;
  /// Returns the class of a word in each column, kNone where it has none. A word that is not
  /// in the table has the classes of its lower-cased form; the result is empty if that is
  /// not there either.
  std::span<const std::uint32_t> find(std::string_view word) const;
  /// Returns the first words of a class in the order of the table, the most frequent ones.
  /// There are none if `column` or `name` is unknown.
  std::vector<std::string> examples(std::string_view column, std::string_view name,
                                    std::size_t count) const;

  /// SHA-256 of all classes, in hex; "" without classes.
  const std::string& digest() const;
  bool operator==(const WordClasses& other) const { return digest() == other.digest(); }
  const WordClassTable& table() const { return *table_; }

 private:
  std::shared_ptr<const WordClassTable> table_;
};

/// Reads a table of words and classes: tabs between the columns, and a first line that names
/// them: `word`, then the columns of classes, then perhaps `count`. Without that line the
/// table has two columns, a word and its class. Throws InputError.
WordClasses read_word_classes(const std::string& path);

}  // namespace megadapt
