#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <ostream>

#include "base/mapped_file.hpp"
#include "container/container.hpp"
#include "container/sections.hpp"
#include "megadapt/error.hpp"
#include "models/model_sections.hpp"
#include "models/text_form.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kFlushAt = std::size_t{1} << 16;

class TextWriter {
 public:
  TextWriter(const Container& in, std::ostream& out) : in_(in), out_(out) {}

  void write() {
    buffer_ = fmt::format("{}\n", kTextHeader);
    const auto& entries = in_.entries();
    for (std::size_t i = 0; i < entries.size();) {
      if (const std::size_t merged = write_names(i); merged > 0) {
        i += merged;
      } else {
        write_section(entries[i++]);
      }
    }
    buffer_ += "end\n";
    flush();
    out_.flush();
    if (!out_)
      throw ResourceError("the text of the model cannot be written", "free some space");
  }

 private:
  // Writes names as one line per name. Leaves out a hash table if importing the names
  // builds the same one. Returns how many sections the block replaces, or 0 if there is no
  // such block at `first`.
  std::size_t write_names(std::size_t first) {
    const auto& entries = in_.entries();
    const bool indexed = entries[first].name.ends_with("/slots");
    const std::size_t count = indexed ? 3 : 2;
    if (first + count > entries.size()) return 0;
    const std::string& name = entries[first].name;
    const std::string prefix = name.substr(0, name.find_last_of('/'));
    if (indexed && !is(entries[first], prefix + "/slots", SectionType::u64)) return 0;
    if (!is(entries[first + count - 2], prefix + "/ends", SectionType::u64)) return 0;
    if (!is(entries[first + count - 1], prefix + "/bytes", SectionType::chars)) return 0;

    NameIndexView names{{}, in_.u64(prefix + "/ends"), in_.chars(prefix + "/bytes")};
    if (!are_ends_of(names.ends, names.bytes)) return 0;
    if (indexed && !is_rebuilt(names, in_.u64(prefix + "/slots"))) return 0;
    buffer_ += fmt::format("{} {} {}\n", indexed ? "index" : "names", prefix, names.size());
    for (std::uint32_t id = 0; id < names.size(); ++id) end_line(names.name(id));
    return count;
  }

  static bool is(const Container::Entry& entry, const std::string& name, SectionType type) {
    return entry.name == name && entry.type == type && entry.columns == 1;
  }

  static bool is_rebuilt(NameIndexView names, std::span<const std::uint64_t> slots) {
    NameIndex index;
    for (std::uint32_t id = 0; id < names.size(); ++id) {
      if (index.add(names.name(id)) != id) return false;  // a name that occurs twice
    }
    return std::ranges::equal(index.view().slots, slots);
  }

  void write_section(const Container::Entry& entry) {
    switch (entry.type) {
      case SectionType::text:
        return write_text(entry);
      case SectionType::f32:
        return write_numbers(entry, in_.f32(entry.name));
      case SectionType::f64:
        return write_numbers(entry, in_.f64(entry.name));
      case SectionType::u32:
        return write_numbers(entry, in_.u32(entry.name));
      case SectionType::u64:
        return write_numbers(entry, in_.u64(entry.name));
      case SectionType::chars: {
        const auto chars = in_.chars(entry.name);
        begin(entry, 1);
        return end_line({chars.data(), chars.size()});
      }
    }
  }

  void begin(const Container::Entry& entry, std::size_t rows) {
    buffer_ += fmt::format("section {} {} {} {}\n", entry.name, type_name(entry.type),
                           entry.columns, rows);
  }

  void write_text(const Container::Entry& entry) {
    const std::string text = in_.text(entry.name);
    begin(entry, 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      end_line(std::string_view(text).substr(at, end - at));
      at = end + 1;
    }
  }

  template <class Number>
  void write_numbers(const Container::Entry& entry, std::span<const Number> values) {
    begin(entry, values.size() / entry.columns);
    for (std::size_t i = 0; i < values.size(); ++i) {
      char digits[32];
      const auto written = std::to_chars(std::begin(digits), std::end(digits), values[i]);
      buffer_.append(digits, written.ptr);
      if ((i + 1) % entry.columns != 0) {
        buffer_ += ' ';
      } else {
        end_line({});
      }
    }
  }

  void end_line(std::string_view text) {
    append_escaped(buffer_, text);
    buffer_ += '\n';
    if (buffer_.size() >= kFlushAt) flush();
  }

  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  const Container& in_;
  std::ostream& out_;
  std::string buffer_;
};

}  // namespace

void export_model(const std::string& path, std::ostream& out) {
  const MappedFile file(path);
  const Container container(file.bytes(), path == "-" ? "standard input" : path);
  container.verify_checksums();
  container.refuse_out_of_range();
  TextWriter(container, out).write();
}

}  // namespace megadapt
