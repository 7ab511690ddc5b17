#pragma once

#include "decoding/decoding.hpp"

namespace megadapt {

/// The feature that a template gives after the tag `previous`; kNone for none. `row` is
/// [tags + 1], or empty where the template gives nothing at this token.
inline std::uint32_t feature_after(std::span<const std::uint32_t> row,
                                   std::uint32_t previous) {
  if (row.empty() || previous == kUnseenTag) return kNone;
  return previous == kNone ? row.back() : row[previous];
}

}  // namespace megadapt
