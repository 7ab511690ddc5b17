#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <istream>
#include <optional>
#include <set>
#include <type_traits>

#include "base/atomic_file.hpp"
#include "container/container.hpp"
#include "container/sections.hpp"
#include "megadapt/error.hpp"
#include "models/model_over.hpp"
#include "models/text_form.hpp"

namespace megadapt {
namespace {

// Cuts the next word off `rest`; "" at the end. Words are separated by single spaces.
std::string_view take_word(std::string_view& rest) {
  const std::size_t space = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, space);
  rest.remove_prefix(std::min(space + 1, rest.size()));
  return word;
}

template <class Number>
std::optional<Number> parse(std::string_view word) {
  Number value{};
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

template <class T>
std::vector<std::byte> to_bytes(const T& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

class TextReader {
 public:
  TextReader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  SectionWriter read() {
    next_line();
    if (!line_.starts_with(kTextMagic)) {
      fail("this is not the text form of a model",
           "give a file that 'megadapt model export' wrote");
    }
    if (line_ != kTextHeader) {
      fail("this text form was written by a newer megadapt",
           "install a newer version of megadapt");
    }
    while (true) {
      next_line();
      if (line_ == "end") break;
      read_block();
    }
    if (std::getline(in_, line_)) {
      ++line_number_;
      fail("there is text after the line 'end'", "remove it");
    }
    return std::move(sections_);
  }

 private:
  void read_block() {
    const std::string line = line_;
    std::string_view rest = line;
    const std::string_view what = take_word(rest);
    const std::string block(take_word(rest));
    if (!is_section_name(block)) fail("a block must have a name");
    if (what == "names" || what == "index") {
      const auto count = parse<std::uint64_t>(rest);
      if (!count) fail("the number of names is missing");
      return read_names(block, what == "index", *count);
    }
    if (what != "section") fail("expected 'section', 'names', 'index' or 'end'");
    const auto type = parse_type(take_word(rest));
    const auto columns = parse<std::uint32_t>(take_word(rest));
    const auto rows = parse<std::uint64_t>(rest);
    if (!type) fail("unknown type of section");
    if (!columns || *columns == 0 || !rows) {
      fail("the numbers of columns and rows are missing");
    }
    read_section(block, *type, *columns, *rows);
  }

  void read_names(const std::string& prefix, bool indexed, std::uint64_t count) {
    NameIndex index;
    std::vector<std::uint64_t> ends;
    std::string bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string name = next_text();
      if (indexed && index.add(name) != i) fail("this name occurs twice");
      bytes += name;
      ends.push_back(bytes.size());
    }
    if (indexed) {
      add(prefix + "/slots", SectionType::u64, 1, to_bytes(index.view().slots));
    }
    add(prefix + "/ends", SectionType::u64, 1, to_bytes(ends));
    add(prefix + "/bytes", SectionType::chars, 1, to_bytes(bytes));
  }

  void read_section(const std::string& section, SectionType type, std::uint32_t columns,
                    std::uint64_t rows) {
    switch (type) {
      case SectionType::f32:
        return add(section, type, columns, read_numbers<float>(columns, rows));
      case SectionType::f64:
        return add(section, type, columns, read_numbers<double>(columns, rows));
      case SectionType::u32:
        return add(section, type, columns, read_numbers<std::uint32_t>(columns, rows));
      case SectionType::u64:
        return add(section, type, columns, read_numbers<std::uint64_t>(columns, rows));
      case SectionType::text:
      case SectionType::chars:
        if (columns != 1) fail("text has one column");
        return add(section, type, 1, to_bytes(read_text(rows)));
    }
  }

  template <class Number>
  std::vector<std::byte> read_numbers(std::uint32_t columns, std::uint64_t rows) {
    std::vector<Number> values;
    for (std::uint64_t row = 0; row < rows; ++row) {
      next_line();
      std::string_view rest = line_;
      for (std::uint32_t column = 0; column < columns; ++column) {
        const auto value = parse<Number>(take_word(rest));
        if (!value)
          fail(fmt::format("number {} of {} is missing or invalid", column + 1, columns));
        values.push_back(*value);
      }
      if (!rest.empty() || line_.ends_with(' ')) {
        fail(fmt::format("more than {} numbers", columns));
      }
    }
    return to_bytes(values);
  }

  std::string read_text(std::uint64_t rows) {
    std::string text;
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (row > 0) text += '\n';
      text += next_text();
    }
    return text;
  }

  std::string next_text() {
    next_line();
    auto text = unescape(line_);
    if (!text) fail("a backslash must begin one of \\\\ \\n \\t \\r \\xNN");
    return *std::move(text);
  }

  void next_line() {
    ++line_number_;
    if (!std::getline(in_, line_)) {
      throw InputError({name_, line_number_}, "the text ends too early", "export it again");
    }
    if (line_.ends_with('\r')) line_.pop_back();  // added by an editor; our own are escaped
  }

  void add(const std::string& section, SectionType type, std::uint32_t columns,
           std::vector<std::byte> bytes) {
    if (!added_.insert(section).second) fail(fmt::format("a second section '{}'", section));
    sections_.add(section, type, columns, std::move(bytes));
  }

  [[noreturn]] void fail(const std::string& problem,
                         const std::string& fix =
                             "see docs/model-file.md for the text form, or export again") {
    throw InputError({name_, line_number_, line_}, problem, fix);
  }

  std::istream& in_;
  std::string name_;
  std::string line_;
  std::size_t line_number_ = 0;
  std::set<std::string> added_;
  SectionWriter sections_;
};

}  // namespace

void import_model(std::istream& in, const std::string& name, const std::string& path) {
  const SectionWriter sections = TextReader(in, name).read();
  std::vector<std::byte> image;
  write_container(sections, [&](std::span<const std::byte> bytes) {
    image.insert(image.end(), bytes.begin(), bytes.end());
  });
  try {
    model_over(image, name, false);
  } catch (const ModelFileError& error) {
    throw InputError({name},
                     fmt::format("these sections do not form a model\n{}", error.what()));
  }
  AtomicFile file(path);
  file.write(image);
  file.commit();
}

}  // namespace megadapt
