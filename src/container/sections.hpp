#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/error.hpp"

namespace megadapt {

/// The type of a section's elements. It lets `export` write any section as text.
enum class SectionType : std::uint32_t {
  text = 0,
  f32 = 1,
  f64 = 2,
  u32 = 3,
  u64 = 4,
  chars = 5
};

/// Collects named sections. Spans of numbers and chars must stay valid until the file is
/// written; text is copied. Names are printable ASCII without spaces, and unique. `columns`
/// divides the number of elements and only affects the text form.
class SectionWriter {
 public:
  SectionWriter() = default;
  SectionWriter(SectionWriter&&) = default;
  SectionWriter& operator=(SectionWriter&&) = default;

  void add(std::string name, const std::string& text);
  void add(std::string name, std::span<const float> values, std::uint32_t columns = 1);
  void add(std::string name, std::span<const double> values, std::uint32_t columns = 1);
  void add(std::string name, std::span<const std::uint32_t> values,
           std::uint32_t columns = 1);
  void add(std::string name, std::span<const std::uint64_t> values,
           std::uint32_t columns = 1);
  void add(std::string name, std::span<const char> values);
  /// Adds a section of any type; the writer keeps the bytes.
  void add(std::string name, SectionType type, std::uint32_t columns,
           std::vector<std::byte> bytes);

  struct Section {
    std::string name;
    SectionType type;
    std::uint32_t columns;
    std::span<const std::byte> bytes;
    std::vector<std::byte> owned;  ///< storage of `bytes`, unless the caller owns it
  };
  const std::vector<Section>& sections() const { return sections_; }

 private:
  void add_view(std::string name, SectionType type, std::uint32_t columns,
                std::span<const std::byte> bytes);

  std::vector<Section> sections_;
};

/// Finds sections by name. Throws ModelFileError when one is missing or has another type.
class SectionReader {
 public:
  virtual ~SectionReader() = default;
  virtual bool has(const std::string& name) const = 0;
  virtual std::string text(const std::string& name) const = 0;
  virtual std::span<const float> f32(const std::string& name) const = 0;
  virtual std::span<const double> f64(const std::string& name) const = 0;
  virtual std::span<const std::uint32_t> u32(const std::string& name) const = 0;
  virtual std::span<const std::uint64_t> u64(const std::string& name) const = 0;
  virtual std::span<const char> chars(const std::string& name) const = 0;

  virtual const std::string& file() const = 0;  ///< for messages
  /// Throws ModelFileError, which says that the file is damaged and how.
  [[noreturn]] void damaged(const std::string& how) const;
};

/// "text", "f32", ...
std::string_view type_name(SectionType type);
std::optional<SectionType> parse_type(std::string_view name);
std::size_t element_size(SectionType type);

/// Returns whether `name` is a valid section name: printable ASCII without spaces.
bool is_section_name(std::string_view name);

/// Returns false when the section has floating-point numbers and one is infinite, NaN, or
/// above 1e100 in size. Sums of larger numbers could become infinite in a prediction.
bool all_in_range(SectionType type, std::span<const std::byte> bytes);

}  // namespace megadapt
