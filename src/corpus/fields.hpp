#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

inline bool is_separator(char c) { return c == ' ' || c == '\t'; }

/// Cuts text at runs of spaces and tabs.
class FieldSplitter {
 public:
  /// Replaces `fields` by the fields of `text`, each with the value 1. Behind `text`
  /// LineReader::kPadding bytes must be readable.
  void split(std::string_view text, std::vector<NamedFeature>& fields);

 private:
  std::vector<std::uint64_t> separators_;  // bit i of word w: byte 64 w + i separates
};

/// Takes the first field off `text`, which does not begin with a separator.
std::string_view take_field(std::string_view& text);

/// `text` without the separators at its start.
std::string_view skip_separators(std::string_view text);

/// Reads a feature's value, in any locale: 1, -2.5, +3, 1e-4. Returns nullptr, or what is
/// wrong with it ("is not a number"). A value too small for a float is read as 0.
const char* parse_value(std::string_view text, float& value);

/// Reads a row's weight, which is finite and not negative.
const char* parse_weight(std::string_view text, double& weight);

}  // namespace megadapt::corpus
