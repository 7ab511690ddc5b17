#include <cstdint>
#include <cstring>
#include <span>

#include "container/container.hpp"
#include "container/crc32c.hpp"
#include "fuzz/targets.hpp"

namespace megadapt::fuzz {
namespace {

// Offsets in the header and the table, from docs/model-file.md.
constexpr std::size_t kTableBytesAt = 24, kFileBytesAt = 32, kTableCrcAt = 40,
                      kHeaderCrcAt = 60;
constexpr std::size_t kEntryCrcAt = 16, kNameBytesAt = 28;

template <class T>
T load(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void store(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::uint32_t checksum(const std::string& bytes, std::size_t at, std::size_t size) {
  return crc32c(std::as_bytes(std::span(bytes)).subspan(at, size));
}

// Calls `visit(entry)` with the offset of each table entry that lies within the bytes.
template <class Visit>
void each_entry(const std::string& bytes, Visit visit) {
  if (bytes.size() < kHeaderBytes) return;
  const auto table_bytes = load<std::uint64_t>(bytes, kTableBytesAt);
  if (table_bytes > bytes.size() - kHeaderBytes) return;
  const std::size_t table_end = kHeaderBytes + table_bytes;
  for (std::size_t entry = kHeaderBytes; entry + kEntryBytes <= table_end;) {
    const std::size_t name = load<std::uint32_t>(bytes, entry + kNameBytesAt);
    visit(entry);
    entry += kEntryBytes + (name + 7) / 8 * 8;
  }
}

// The bytes of the section whose entry is at `entry`; nothing if it is outside of the file.
Section section_at(const std::string& bytes, std::size_t entry) {
  const auto offset = load<std::uint64_t>(bytes, entry);
  const auto size = load<std::uint64_t>(bytes, entry + 8);
  if (offset > bytes.size() || size > bytes.size() - offset) return {};
  return {offset, size};
}

}  // namespace

std::vector<Section> sections_of(const std::string& bytes) {
  std::vector<Section> found;
  each_entry(bytes, [&](std::size_t entry) {
    const Section section = section_at(bytes, entry);
    if (section.size > 0) found.push_back(section);
  });
  return found;
}

std::string with_right_checksums(std::string bytes) {
  if (bytes.size() < kHeaderBytes) return bytes;
  const auto table_bytes = load<std::uint64_t>(bytes, kTableBytesAt);
  if (table_bytes > bytes.size() - kHeaderBytes) return bytes;
  each_entry(bytes, [&](std::size_t entry) {
    const Section section = section_at(bytes, entry);
    if (section.size > 0) {
      store(bytes, entry + kEntryCrcAt, checksum(bytes, section.begin, section.size));
    }
  });
  store(bytes, kFileBytesAt, std::uint64_t{bytes.size()});
  store(bytes, kTableCrcAt, checksum(bytes, kHeaderBytes, table_bytes));
  store(bytes, kHeaderCrcAt, checksum(bytes, 0, kHeaderCrcAt));
  return bytes;
}

}  // namespace megadapt::fuzz
