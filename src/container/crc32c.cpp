#include "container/crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace megadapt {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // bit 31 is the coefficient of x^0

using ByteTables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the remainder of byte b followed by k zero bytes.
constexpr ByteTables make_byte_tables() {
  ByteTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = (crc >> 8) ^ tables[0][crc & 0xff];
    }
  }
  return tables;
}

constexpr ByteTables kBytes = make_byte_tables();

std::uint64_t load64(const std::byte* data) {
  std::uint64_t word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

std::uint32_t table_step(std::uint32_t crc, std::byte byte) {
  return (crc >> 8) ^ kBytes[0][(crc ^ static_cast<std::uint32_t>(byte)) & 0xff];
}

}  // namespace

namespace detail {

// Eight bytes per step, each through its own table ("slicing by 8").
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t crc) {
  crc = ~crc;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = load64(&bytes[i]) ^ crc;
    crc = 0;
    for (std::size_t k = 8; k-- > 0; word >>= 8) crc ^= kBytes[k][word & 0xff];
  }
  for (; i < bytes.size(); ++i) crc = table_step(crc, bytes[i]);
  return ~crc;
}

#if defined(__x86_64__)

namespace {

// Returns the product of two polynomials modulo the CRC polynomial.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if (a & 0x80000000) product ^= b;
    b = (b >> 1) ^ (b & 1 ? kPolynomial : 0);
  }
  return product;
}

// Returns x^(8 * count): appending `count` zero bytes multiplies a remainder by it.
constexpr std::uint32_t zero_bytes(std::size_t count) {
  std::uint32_t power = 0x80000000;   // 1
  std::uint32_t square = 0x00800000;  // x^8
  for (; count != 0; count >>= 1) {
    if (count & 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return power;
}

// Multiplication by a constant is linear, so it takes four look-ups, one per byte.
using ShiftTables = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr ShiftTables make_shift_tables(std::size_t count) {
  const std::uint32_t factor = zero_bytes(count);
  ShiftTables tables{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      tables[k][byte] = multiply(factor, byte << (8 * k));
    }
  }
  return tables;
}

constexpr std::size_t kLane = 2048;
constexpr ShiftTables kSkipLane = make_shift_tables(kLane);

std::uint32_t skip_lane(std::uint32_t crc) {
  return kSkipLane[0][crc & 0xff] ^ kSkipLane[1][(crc >> 8) & 0xff] ^
         kSkipLane[2][(crc >> 16) & 0xff] ^ kSkipLane[3][crc >> 24];
}

}  // namespace

bool has_crc32c_instruction() { return __builtin_cpu_supports("sse4.2"); }

// The instruction takes three cycles, but a new one can start in each cycle. So three lanes
// of the data are processed side by side; their remainders are then shifted past the lanes
// that follow and added.
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(
    std::span<const std::byte> bytes, std::uint32_t crc) {
  const std::byte* data = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t first = static_cast<std::uint32_t>(~crc);
  for (; left >= 3 * kLane; left -= 3 * kLane, data += 3 * kLane) {
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < kLane; i += 8) {
      first = _mm_crc32_u64(first, load64(data + i));
      second = _mm_crc32_u64(second, load64(data + kLane + i));
      third = _mm_crc32_u64(third, load64(data + 2 * kLane + i));
    }
    first = skip_lane(static_cast<std::uint32_t>(first)) ^ second;
    first = skip_lane(static_cast<std::uint32_t>(first)) ^ third;
  }
  for (; left >= 8; left -= 8, data += 8) first = _mm_crc32_u64(first, load64(data));
  auto remainder = static_cast<std::uint32_t>(first);
  for (; left > 0; --left, ++data) {
    remainder = _mm_crc32_u8(remainder, static_cast<std::uint8_t>(*data));
  }
  return ~remainder;
}

#else

bool has_crc32c_instruction() { return false; }

std::uint32_t crc32c_by_instruction(std::span<const std::byte> bytes, std::uint32_t crc) {
  return crc32c_by_table(bytes, crc);
}

#endif

}  // namespace detail

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc) {
  static const bool instruction = detail::has_crc32c_instruction();
  return instruction ? detail::crc32c_by_instruction(bytes, crc)
                     : detail::crc32c_by_table(bytes, crc);
}

}  // namespace megadapt
