#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt::corpus {

/// The meaning of the columns of a CSV or TSV file.
struct Columns {
  std::vector<std::string> names;  ///< as in the header, without surrounding spaces
  std::optional<std::size_t> label, text, weight, id, group, domain;

  /// Finds the columns by name, ignoring case. `doc` is another name for `group`.
  explicit Columns(const std::vector<std::string_view>& header);
};

/// Returns `text` without leading and trailing spaces and tabs.
std::string_view trimmed(std::string_view text);

}  // namespace megadapt::corpus
