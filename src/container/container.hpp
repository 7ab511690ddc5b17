#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "container/sections.hpp"

namespace megadapt {

/// The current version of the format; docs/model-file.md describes the layout.
inline constexpr std::uint32_t kFormatVersion = 2;
/// The format of files without the section kNeeds, which version 0.1 reads too.
inline constexpr std::uint32_t kFirstFormat = 1;
inline constexpr const char* kNeeds = "needs";
inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kEntryBytes = 32;  // of a table entry, without its name
inline constexpr std::size_t kAlignment = 64;

using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Writes header, section table and sections to `sink`, in order. Throws NumericError for
/// a number out of range (sections.hpp).
void write_container(const SectionWriter& sections, const ByteSink& sink);

/// The sections of a model file, whose bytes must outlive this. The constructor checks that
/// all sections lie inside the bytes. Throws ModelFileError.
class Container final : public SectionReader {
 public:
  Container(std::span<const std::byte> bytes, std::string file);
  void verify_checksums() const;
  void refuse_out_of_range() const;

  struct Entry {
    std::string name;
    SectionType type;
    std::uint32_t columns;
    std::uint32_t crc;
    std::span<const std::byte> bytes;

    bool intact() const;
  };
  const std::vector<Entry>& entries() const { return entries_; }  ///< in file order

  bool has(const std::string& name) const override;
  std::string text(const std::string& name) const override;
  std::span<const float> f32(const std::string& name) const override;
  std::span<const double> f64(const std::string& name) const override;
  std::span<const std::uint32_t> u32(const std::string& name) const override;
  std::span<const std::uint64_t> u64(const std::string& name) const override;
  std::span<const char> chars(const std::string& name) const override;
  const std::string& file() const override { return name_; }

 private:
  void read_table(std::span<const std::byte> table, std::uint32_t count);
  Entry read_entry(std::span<const std::byte>& table) const;
  const Entry& find(const std::string& name, SectionType type) const;

  std::span<const std::byte> bytes_;
  std::string name_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> positions_;
};

inline constexpr std::string_view kMagic = "MEGADAPT";
inline constexpr std::string_view kTextMagic = "megadapt model text ";

/// Throws ModelFileError unless `file` begins like a model file. The message says what the
/// file seems to be instead.
void refuse_foreign(std::span<const std::byte> file, const std::string& name);

}  // namespace megadapt
