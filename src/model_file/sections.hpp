#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "megadapt/model_file.hpp"

namespace megadapt {

/// "text", "f32", ...
std::string_view type_name(SectionType type);
std::optional<SectionType> parse_type(std::string_view name);
std::size_t element_size(SectionType type);

/// Printable ASCII without spaces: what every section name consists of.
bool is_section_name(std::string_view name);

/// False for numbers that include an infinity or a NaN; true for all other types.
bool all_finite(SectionType type, std::span<const std::byte> bytes);

}  // namespace megadapt
