#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace megadapt {

/// CRC-32C (Castagnoli, reflected polynomial 0x82f63b78) of `bytes`, continuing from `crc`.
/// Uses the processor's instruction where there is one.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0);

namespace detail {
bool has_crc32c_instruction();
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t crc = 0);
/// Call only where has_crc32c_instruction().
std::uint32_t crc32c_by_instruction(std::span<const std::byte> bytes,
                                    std::uint32_t crc = 0);
}  // namespace detail

}  // namespace megadapt
