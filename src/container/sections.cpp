#include "container/sections.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace megadapt {
namespace {

constexpr std::array<std::string_view, 6> kTypeNames{"text", "f32", "f64",
                                                     "u32",  "u64", "chars"};
constexpr std::array<std::size_t, 6> kElementSizes{1, 4, 8, 4, 8, 1};

// The exponents of infinity and NaN, as the bits of a number, and of 2^332, which is about
// 1e100. A number is in range if its exponent is smaller.
constexpr std::uint32_t kInfinity32 = 0x7f800000;
constexpr std::uint64_t kLarge64 = std::uint64_t{0x3ff + 332} << 52;

// The loop counts instead of stopping at the first bad number, so that the compiler can
// vectorize it.
template <class Bits>
bool below(Bits limit, Bits exponent, std::span<const std::byte> bytes) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i + sizeof(Bits) <= bytes.size(); i += sizeof(Bits)) {
    Bits bits;
    std::memcpy(&bits, bytes.data() + i, sizeof bits);
    bad += (bits & exponent) >= limit;
  }
  return bad == 0;
}

}  // namespace

std::string_view type_name(SectionType type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

std::optional<SectionType> parse_type(std::string_view name) {
  const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
  if (found == kTypeNames.end()) return std::nullopt;
  return static_cast<SectionType>(found - kTypeNames.begin());
}

std::size_t element_size(SectionType type) {
  return kElementSizes[static_cast<std::size_t>(type)];
}

bool is_section_name(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

bool all_in_range(SectionType type, std::span<const std::byte> bytes) {
  if (type == SectionType::f32) return below(kInfinity32, kInfinity32, bytes);
  if (type == SectionType::f64) return below(kLarge64, std::uint64_t{0x7ff} << 52, bytes);
  return true;
}

void SectionWriter::add(std::string name, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  add(std::move(name), SectionType::text, 1, std::vector(bytes.begin(), bytes.end()));
}

void SectionWriter::add(std::string name, std::span<const float> values,
                        std::uint32_t columns) {
  add_view(std::move(name), SectionType::f32, columns, std::as_bytes(values));
}

void SectionWriter::add(std::string name, std::span<const double> values,
                        std::uint32_t columns) {
  add_view(std::move(name), SectionType::f64, columns, std::as_bytes(values));
}

void SectionWriter::add(std::string name, std::span<const std::uint32_t> values,
                        std::uint32_t columns) {
  add_view(std::move(name), SectionType::u32, columns, std::as_bytes(values));
}

void SectionWriter::add(std::string name, std::span<const std::uint64_t> values,
                        std::uint32_t columns) {
  add_view(std::move(name), SectionType::u64, columns, std::as_bytes(values));
}

void SectionWriter::add(std::string name, std::span<const char> values) {
  add_view(std::move(name), SectionType::chars, 1, std::as_bytes(values));
}

void SectionWriter::add(std::string name, SectionType type, std::uint32_t columns,
                        std::vector<std::byte> bytes) {
  add_view(std::move(name), type, columns, bytes);
  sections_.back().owned = std::move(bytes);  // a moved vector keeps its elements in place
}

void SectionWriter::add_view(std::string name, SectionType type, std::uint32_t columns,
                             std::span<const std::byte> bytes) {
  assert(is_section_name(name));
  assert(columns > 0 && bytes.size() % (element_size(type) * columns) == 0);
  sections_.push_back({std::move(name), type, columns, bytes, {}});
}

}  // namespace megadapt
