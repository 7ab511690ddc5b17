#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/readers.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

class TextFeatures;

/// Makes the features of a row from its columns of numbers and categories and from its text.
/// Readers of every format and users of a model go through this class, so that a document
/// has the same features wherever it comes from.
class FeatureMaker {
 public:
  /// Returns the text of a column, or nothing if there is no such column.
  using GetColumn = std::function<std::optional<std::string_view>(const std::string& name)>;

  FeatureMaker(const TextOptions& text, const ColumnNames& columns);
  ~FeatureMaker();
  FeatureMaker(FeatureMaker&&) noexcept;

  bool has_columns() const { return !numbers_.empty() || !categories_.empty(); }
  /// Replaces the features of `row` by those of its columns. An empty column gives none. The
  /// names are valid until the next call. Returns what is wrong with a number, or "".
  std::string add_columns(Row& row, const GetColumn& get);
  /// Completes a row that is Row::unmade. The names are valid until the next call, and as
  /// long as row.text.
  void make(Row& row);

 private:
  struct Column {
    std::string column;
    std::string feature;  // its name; for a category, as in the last row
  };

  TextOptions options_;
  std::vector<Column> numbers_, categories_;
  std::unique_ptr<TextFeatures> text_;  // created when the first text comes
  FeatureHasher hasher_;
};

/// The names of the columns of numbers and categories.
std::vector<std::string> feature_columns(const ColumnNames& columns);

/// Return whether a feature of this name comes from a column of numbers or of categories.
bool is_number_feature(std::string_view name, const ColumnNames& columns);
bool is_category_feature(std::string_view name, const ColumnNames& columns);

}  // namespace megadapt::corpus
