#pragma once

#include <cstddef>
#include <cstdint>

/// Limits on input from outside, so that a hostile file is refused before it takes the
/// memory, the stack or the time of the machine. Those of the server are in
/// serve/limits.hpp, because its user may change them.
namespace megadapt {

/// How deep JSON may be nested. Copying, writing and comparing a tree call themselves for
/// each level, so that deeper text could exhaust the stack. Nothing that we read needs more
/// than ten levels.
inline constexpr std::size_t kDeepestJson = 100;

/// Bytes of a line. A reader holds one line in memory, and ICU counts the bytes of a text
/// in 31 bits. A book has about one million.
inline constexpr std::size_t kLongestLine = std::size_t{64} << 20;

/// Compressed input may expand to this many times its stored size, once it is larger than
/// kAnyExpansion. Text expands 3 to 20 times; a file made to fill memory expands more than
/// 1000 times.
inline constexpr std::uint64_t kMostExpansion = 500;
inline constexpr std::uint64_t kAnyExpansion = std::uint64_t{256} << 20;

}  // namespace megadapt
