#pragma once

#include <string>
#include <string_view>

namespace megadapt::sentences {

/// Append `text` in another case, by the rules of no particular language.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);

}  // namespace megadapt::sentences
