#pragma once

#include <string>
#include <string_view>

namespace megadapt::sentences {

/// Appends `text` in another case, by language-independent rules.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);

}  // namespace megadapt::sentences
