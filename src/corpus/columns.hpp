#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// The usual names of columns and fields, in the order in which they are looked for.
struct UsualNames {
  static constexpr std::string_view kLabel = "label";
  static constexpr std::string_view kText = "text";
  static constexpr std::string_view kGroup = "group";
  static constexpr std::string_view kDocument = "doc";  ///< another name for `group`
  static constexpr std::string_view kId = "id";
  static constexpr std::string_view kWeight = "weight";
  static constexpr std::string_view kDomain = "domain";
};

/// The options that name columns of features.
inline constexpr std::string_view kNumberColumns = "number-columns";
inline constexpr std::string_view kCategoryColumns = "category-columns";

/// The meaning of the columns of a CSV or TSV file.
struct Columns {
  std::vector<std::string> names;  ///< as in the header, without surrounding spaces
  std::optional<std::size_t> label, weight, id, group, domain;
  std::vector<std::size_t> text;
  std::map<std::string, std::size_t> features;  ///< numbers and categories by their names
  /// Chosen columns that the header lacks: the option (`--id-column`) and the name.
  std::vector<std::pair<std::string_view, std::string>> missing;
  std::vector<std::string> repeated;  ///< names that were looked for and found twice

  /// Finds `options.columns`. A chosen name must match exactly, a usual one in any case. A
  /// chosen column that the header lacks is `missing`; unless it is needed, the column of the
  /// usual name takes its place.
  Columns(std::span<const std::string_view> header, const ReadOptions& options);

 private:
  std::optional<std::size_t> find(std::string_view option,
                                  const std::optional<std::string>& chosen,
                                  std::initializer_list<std::string_view> usual,
                                  bool needed);
  std::optional<std::size_t> find_exactly(std::string_view name);
  std::optional<std::size_t> find_in_any_case(std::string_view name);
  std::optional<std::size_t> find_one(std::string_view name, auto is_called);
  void find_features(std::string_view option, const std::vector<std::string>& chosen);
  void find_text(const std::vector<std::string>& chosen, bool needed);
};

/// The chosen columns with their options: {"text-column", "review"}.
std::vector<std::pair<std::string_view, std::string>> named_columns(
    const ColumnNames& chosen);

/// Returns `columns` with names replaced by those in `asked`, which are for a single file.
ColumnNames with_asked(ColumnNames columns, const ColumnNames& asked);
/// The options of the columns that `asked` names, for ReadOptions::needed_columns.
std::vector<std::string> asked_options(const ColumnNames& asked);

/// Returns `text` without leading and trailing spaces and tabs.
std::string_view trimmed(std::string_view text);

}  // namespace megadapt::corpus
