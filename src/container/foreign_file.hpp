#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace megadapt {

inline constexpr std::string_view kMagic = "MEGADAPT";
inline constexpr std::string_view kTextMagic = "megadapt model text ";

/// Throws ModelFileError unless `file` begins as a model file does, with a guess of what it
/// is instead.
void refuse_foreign(std::span<const std::byte> file, const std::string& name);

}  // namespace megadapt
