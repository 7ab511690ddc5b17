#pragma once

#include <string>
#include <string_view>

namespace megadapt::corpus {

/// Reads a feature's value, in any locale: 1, -2.5, +3, 1e-4. Returns nullptr, or what is
/// wrong with it ("is not a number"). A value too small for a float is read as 0.
const char* parse_value(std::string_view text, float& value);

/// Reads a row's weight, which is finite and not negative.
const char* parse_weight(std::string_view text, double& weight);

}  // namespace megadapt::corpus
