#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace megadapt::features {

/// The attributes of a single word that templates can use. docs/templates.md explains each.
enum class Attribute : std::uint8_t {
  word,
  lower,
  stem,
  prefix1,
  prefix2,
  prefix3,
  prefix4,
  suffix1,
  suffix2,
  suffix3,
  suffix4,
  shape,
  caps,
  kind,
};
inline constexpr std::size_t kNumAttributes = 14;

inline constexpr std::array<std::string_view, kNumAttributes> kAttributeNames = {
    "w",    "lower", "stem", "pre1", "pre2",  "pre3", "pre4",
    "suf1", "suf2",  "suf3", "suf4", "shape", "caps", "kind"};

/// Names of templates that do not describe a single word.
inline constexpr std::array<std::string_view, 5> kOtherNames = {"tag", "gaz", "edge",
                                                                "length", "bias"};

/// Returns whether `name` is taken, so that no input column may have it.
constexpr bool is_reserved(std::string_view name) {
  for (const std::string_view known : kAttributeNames) {
    if (known == name) return true;
  }
  for (const std::string_view known : kOtherNames) {
    if (known == name) return true;
  }
  return false;
}

}  // namespace megadapt::features
