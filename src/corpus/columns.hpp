#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt::corpus {

/// Which column of a CSV or TSV file means what.
struct Columns {
  std::vector<std::string> names;  ///< as in the header, without spaces around them
  std::optional<std::size_t> label, text, weight, id, group, domain;

  /// Finds the columns by name, in upper or lower case; `doc` is another name of `group`.
  explicit Columns(const std::vector<std::string_view>& header);
};

/// `text` without spaces and tabs around it.
std::string_view trimmed(std::string_view text);

}  // namespace megadapt::corpus
