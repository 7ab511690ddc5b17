#include "container/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "container/crc32c.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

static_assert(std::endian::native == std::endian::little,
              "sections are mapped as they lie in the file, which is little-endian");

// Field offsets in the header. They and the header's checksum are the same in every format
// version.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kCountAt = 12;
constexpr std::size_t kTableOffsetAt = 16;
constexpr std::size_t kTableBytesAt = 24;
constexpr std::size_t kFileBytesAt = 32;
constexpr std::size_t kTableCrcAt = 40;
constexpr std::size_t kHeaderCrcAt = 60;

template <class T>
T load(std::span<const std::byte> bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.subspan(at, sizeof value).data(), sizeof value);
  return value;
}

template <class T>
void store(std::span<std::byte> bytes, std::size_t at, T value) {
  std::memcpy(bytes.subspan(at, sizeof value).data(), &value, sizeof value);
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::size_t entry_bytes(const std::string& name) {
  return kEntryBytes + round_up(name.size(), 8);
}

std::vector<std::byte> section_table(const std::vector<SectionWriter::Section>& sections,
                                     std::uint64_t& end) {
  std::size_t size = 0;
  for (const auto& section : sections) size += entry_bytes(section.name);
  end = kHeaderBytes + size;
  std::vector<std::byte> table(size);
  std::span<std::byte> entry = table;
  for (const auto& section : sections) {
    const std::uint64_t offset = round_up(end, kAlignment);
    store(entry, 0, offset);
    store(entry, 8, std::uint64_t{section.bytes.size()});
    store(entry, 16, crc32c(section.bytes));
    store(entry, 20, static_cast<std::uint32_t>(section.type));
    store(entry, 24, section.columns);
    store(entry, 28, static_cast<std::uint32_t>(section.name.size()));
    std::memcpy(entry.data() + kEntryBytes, section.name.data(), section.name.size());
    entry = entry.subspan(entry_bytes(section.name));
    end = offset + section.bytes.size();
  }
  return table;
}

// Version 0.1 does not know the section kNeeds, so its program must refuse the file.
std::uint32_t format_for(const std::vector<SectionWriter::Section>& sections) {
  const bool has_needs = std::ranges::any_of(
      sections, [](const auto& section) { return section.name == kNeeds; });
  return has_needs ? kFormatVersion : kFirstFormat;
}

std::array<std::byte, kHeaderBytes> make_header(std::span<const std::byte> table,
                                                std::uint32_t format, std::size_t count,
                                                std::uint64_t file_bytes) {
  std::array<std::byte, kHeaderBytes> header{};
  std::memcpy(header.data(), kMagic.data(), kMagic.size());
  store(header, kVersionAt, format);
  store(header, kCountAt, static_cast<std::uint32_t>(count));
  store(header, kTableOffsetAt, std::uint64_t{kHeaderBytes});
  store(header, kTableBytesAt, std::uint64_t{table.size()});
  store(header, kFileBytesAt, file_bytes);
  store(header, kTableCrcAt, crc32c(table));
  store(header, kHeaderCrcAt, crc32c(std::span(header).first(kHeaderCrcAt)));
  return header;
}

}  // namespace

void write_container(const SectionWriter& writer, const ByteSink& sink) {
  for (const auto& section : writer.sections()) {
    if (!all_in_range(section.type, section.bytes)) {
      throw NumericError(
          fmt::format("the model has a number that is not finite or above 1e100, in '{}'",
                      section.name),
          "look for extreme feature values or weights in the training data");
    }
  }
  std::uint64_t file_bytes = 0;
  const auto table = section_table(writer.sections(), file_bytes);
  sink(make_header(table, format_for(writer.sections()), writer.sections().size(),
                   file_bytes));
  sink(table);
  std::uint64_t at = kHeaderBytes + table.size();
  constexpr std::array<std::byte, kAlignment> kPadding{};
  for (const auto& section : writer.sections()) {
    sink(std::span(kPadding).first(round_up(at, kAlignment) - at));
    sink(section.bytes);
    at = round_up(at, kAlignment) + section.bytes.size();
  }
}

bool Container::Entry::intact() const { return crc32c(bytes) == crc; }

Container::Container(std::span<const std::byte> bytes, std::string file)
    : bytes_(bytes), name_(std::move(file)) {
  refuse_foreign(bytes_, name_);
  if (bytes_.size() < kHeaderBytes) damaged("it ends within its header");
  const auto header = bytes_.first(kHeaderBytes);
  if (crc32c(header.first(kHeaderCrcAt)) != load<std::uint32_t>(header, kHeaderCrcAt)) {
    damaged("the header does not match its checksum");
  }
  const auto version = load<std::uint32_t>(header, kVersionAt);
  if (version > kFormatVersion) {
    throw ModelFileError(
        fmt::format("{}: made by a newer megadapt (format {}, this program "
                    "reads up to {})",
                    name_, version, kFormatVersion),
        "install a newer version of megadapt");
  }
  if (version == 0) damaged("it has no format version");
  const auto file_bytes = load<std::uint64_t>(header, kFileBytesAt);
  if (bytes_.size() != file_bytes) {
    damaged(fmt::format("it has {} bytes and should have {}", bytes_.size(), file_bytes));
  }
  const auto table_bytes = load<std::uint64_t>(header, kTableBytesAt);
  if (load<std::uint64_t>(header, kTableOffsetAt) != kHeaderBytes ||
      table_bytes > file_bytes - kHeaderBytes) {
    damaged("the section table lies outside the file");
  }
  const auto table = bytes_.subspan(kHeaderBytes, table_bytes);
  if (crc32c(table) != load<std::uint32_t>(header, kTableCrcAt)) {
    damaged("the section table does not match its checksum");
  }
  read_table(table, load<std::uint32_t>(header, kCountAt));
}

void Container::verify_checksums() const {
  for (const Entry& entry : entries_) {
    if (!entry.intact()) {
      damaged(fmt::format("section '{}' does not match its checksum", entry.name));
    }
  }
}

void Container::refuse_out_of_range() const {
  for (const Entry& entry : entries_) {
    if (!all_in_range(entry.type, entry.bytes)) {
      damaged(fmt::format("section '{}' has a number that is not finite or above 1e100",
                          entry.name));
    }
  }
}

// Sections follow each other in table order, each at the next multiple of 64, and the last
// one ends the file. So no section can overlap another or lie outside the file.
void Container::read_table(std::span<const std::byte> table, std::uint32_t count) {
  std::uint64_t end = kHeaderBytes + table.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto offset = table.size() < kEntryBytes ? 0 : load<std::uint64_t>(table, 0);
    Entry entry = read_entry(table);
    if (offset != round_up(end, kAlignment)) {
      damaged(fmt::format("section '{}' is not where it should be", entry.name));
    }
    end = offset + entry.bytes.size();
    if (!positions_.emplace(entry.name, entries_.size()).second) {
      damaged(fmt::format("there are two sections '{}'", entry.name));
    }
    entries_.push_back(std::move(entry));
  }
  if (!table.empty()) damaged("the section table is longer than its sections");
  if (end != bytes_.size()) damaged("there are bytes after the last section");
}

Container::Entry Container::read_entry(std::span<const std::byte>& table) const {
  if (table.size() < kEntryBytes) damaged("the section table is too short");
  const auto offset = load<std::uint64_t>(table, 0);
  const auto size = load<std::uint64_t>(table, 8);
  const auto crc = load<std::uint32_t>(table, 16);
  const auto type = load<std::uint32_t>(table, 20);
  const auto columns = load<std::uint32_t>(table, 24);
  const std::uint64_t name_bytes = load<std::uint32_t>(table, 28);
  table = table.subspan(kEntryBytes);
  if (round_up(name_bytes, 8) > table.size()) damaged("the section table is too short");
  std::string name(reinterpret_cast<const char*>(table.data()), name_bytes);
  table = table.subspan(round_up(name_bytes, 8));

  if (!is_section_name(name)) damaged("a section has no readable name");
  if (type > static_cast<std::uint32_t>(SectionType::chars)) {
    damaged(fmt::format("section '{}' has the unknown type {}", name, type));
  }
  if (offset > bytes_.size() || size > bytes_.size() - offset) {
    damaged(fmt::format("section '{}' lies outside the file", name));
  }
  const auto section_type = static_cast<SectionType>(type);
  if (columns == 0 || size % (std::uint64_t{columns} * element_size(section_type)) != 0) {
    damaged(fmt::format("section '{}' does not consist of whole rows", name));
  }
  return {std::move(name), section_type, columns, crc, bytes_.subspan(offset, size)};
}

bool Container::has(const std::string& name) const { return positions_.contains(name); }

const Container::Entry& Container::find(const std::string& name, SectionType type) const {
  const auto found = positions_.find(name);
  if (found == positions_.end()) damaged(fmt::format("it has no section '{}'", name));
  const Entry& entry = entries_[found->second];
  if (entry.type != type) {
    damaged(fmt::format("section '{}' is {} and should be {}", name, type_name(entry.type),
                        type_name(type)));
  }
  return entry;
}

namespace {

// The cast is aligned: sections start at multiples of 64 in the file, and mapped or
// allocated memory starts at a multiple of 16 or more.
template <class T>
std::span<const T> as(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace

std::string Container::text(const std::string& name) const {
  const auto bytes = as<char>(find(name, SectionType::text).bytes);
  return {bytes.begin(), bytes.end()};
}

std::span<const float> Container::f32(const std::string& name) const {
  return as<float>(find(name, SectionType::f32).bytes);
}

std::span<const double> Container::f64(const std::string& name) const {
  return as<double>(find(name, SectionType::f64).bytes);
}

std::span<const std::uint32_t> Container::u32(const std::string& name) const {
  return as<std::uint32_t>(find(name, SectionType::u32).bytes);
}

std::span<const std::uint64_t> Container::u64(const std::string& name) const {
  return as<std::uint64_t>(find(name, SectionType::u64).bytes);
}

std::span<const char> Container::chars(const std::string& name) const {
  return as<char>(find(name, SectionType::chars).bytes);
}

void SectionReader::damaged(const std::string& how) const {
  throw ModelFileError(fmt::format("{}: the model file is damaged: {}", file(), how),
                       "copy the file again from an intact copy, or train the model again");
}

}  // namespace megadapt
