#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

inline bool is_separator(char c) { return c == ' ' || c == '\t'; }

/// Splits text at runs of spaces and tabs.
class FieldSplitter {
 public:
  /// Replaces `fields` by the fields of `text`, each with the value 1. LineReader::kPadding
  /// bytes after the end of `text` must be readable.
  void split(std::string_view text, std::vector<NamedFeature>& fields);

 private:
  std::vector<std::uint64_t> separators_;  // bit i of word w: is byte 64 w + i one?
};

/// Removes the first field from `text`, which must not begin with a separator; returns it.
std::string_view take_field(std::string_view& text);

/// Returns `text` without leading separators.
std::string_view skip_separators(std::string_view text);

/// Parses a feature's value, independently of the locale: 1, -2.5, +3, 1e-4. Returns
/// nullptr when it is good, otherwise what is wrong with it ("is not a number"). A value
/// too small for a float becomes 0.
const char* parse_value(std::string_view text, float& value);

/// The same for a row's weight, which must be finite and not negative.
const char* parse_weight(std::string_view text, double& weight);

}  // namespace megadapt::corpus
