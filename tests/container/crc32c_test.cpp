#include "container/crc32c.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace megadapt {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

struct Vector {
  std::string text;
  std::uint32_t crc;
};

// The check value from the CRC catalogue and the test vectors of RFC 3720 B.4.
std::vector<Vector> known_vectors() {
  std::string rising(32, '\0');
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<char>(i);
  return {{"", 0},
          {"123456789", 0xe3069283},
          {std::string(32, '\0'), 0x8a9136aa},
          {std::string(32, '\xff'), 0x62a8ab43},
          {rising, 0x46dd794e},
          {{rising.rbegin(), rising.rend()}, 0x113fdb5c}};
}

TEST(Crc32c, AgreesWithKnownVectors) {
  for (const auto& [text, crc] : known_vectors()) {
    EXPECT_EQ(crc32c(bytes_of(text)), crc);
    EXPECT_EQ(detail::crc32c_by_table(bytes_of(text)), crc);
    if (detail::has_crc32c_instruction()) {
      EXPECT_EQ(detail::crc32c_by_instruction(bytes_of(text)), crc);
    }
  }
}

// Random lengths and alignments, and all lengths below 200. crc32c() uses the instruction
// if the processor has it.
TEST(Crc32c, AgreesWithTheTable) {
  std::mt19937 random(1);
  std::vector<std::byte> data(40000);
  for (auto& byte : data) byte = static_cast<std::byte>(random());
  for (int i = 0; i < 2000; ++i) {
    const std::size_t begin = random() % 100;
    const std::size_t size = i < 200 ? static_cast<std::size_t>(i) : random() % 39900;
    const auto part = std::span(data).subspan(begin, size);
    EXPECT_EQ(crc32c(part), detail::crc32c_by_table(part));
  }
}

TEST(Crc32c, ContinuesFromAnEarlierPart) {
  const std::string text(10000, 'x');
  const auto all = bytes_of(text);
  for (const std::size_t cut : {0, 1, 9, 6144, 9999, 10000}) {
    const std::uint32_t head = crc32c(all.first(cut));
    EXPECT_EQ(crc32c(all.subspan(cut), head), crc32c(all));
    EXPECT_EQ(detail::crc32c_by_table(all.subspan(cut), head), crc32c(all));
  }
}

}  // namespace
}  // namespace megadapt
