#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// The meaning of the columns of a CSV or TSV file.
struct Columns {
  std::vector<std::string> names;  ///< as in the header, without surrounding spaces
  std::optional<std::size_t> label, text, weight, id, group, domain;

  /// Finds the columns by name, ignoring case. `doc` is another name for `group`. A name
  /// that `chosen` has must match exactly.
  explicit Columns(const std::vector<std::string_view>& header,
                   const ColumnNames& chosen = {});
};

/// Returns `text` without leading and trailing spaces and tabs.
std::string_view trimmed(std::string_view text);

}  // namespace megadapt::corpus
