// MEGAM's text format: LABEL [$$$WEIGHT w] FEATURE FEATURE ...; with -fvals each feature is
// followed by its value.

#include <fmt/format.h>

#include <utility>

#include "base/messages.hpp"
#include "corpus/fields.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::string_view kDirective = "$$$";

class MegamRows final : public LineRows {
 public:
  MegamRows(LineReader lines, Format format, const ReadOptions& options)
      : LineRows(std::move(lines), format, options),
        pairs_(format == Format::megam_fvals) {}

 private:
  bool parse(std::string_view line, Row& row) override {
    std::string_view rest = line;
    if (labelled()) {
      if (is_comment(line)) return false;
      rest = skip_separators(line);
      if (rest.empty()) return false;
      if (rest.size() < line.size()) fail_no_label();
      row.label = take_field(rest);
    } else if (options().labels_optional) {
      take_optional_label(rest, row);
    }
    rest = skip_separators(rest);
    if (rest.starts_with(kDirective)) rest = take_directive(rest, row);
    splitter_.split(rest, row.features);
    if (row.features.empty() && labelled()) refuse_sections(line);
    if (pairs_) pair_up(row);
    return true;
  }

  static void take_optional_label(std::string_view& rest, Row& row) {
    const std::size_t tab = rest.find('\t');
    if (tab == 0 || tab == rest.npos || tab != rest.find_first_of(" \t")) return;
    row.label = take_field(rest);
  }

  // Follows MEGAM, except that `#<TAB>` begins a row, because `#` is also a part-of-speech
  // tag. In unlabelled files every line is a row, so that there is one prediction per line.
  static bool is_comment(std::string_view line) {
    return line.starts_with('#') && !line.starts_with("#\t");
  }

  // Reviews often have words that begin with `$$$`, so only MEGAM's directives are special.
  std::string_view take_directive(std::string_view rest, Row& row) {
    const std::string_view before = rest;
    const std::string_view name = take_field(rest);
    if (name == "$$$WEIGHT") {
      rest = skip_separators(rest);
      if (rest.empty()) fail("$$$WEIGHT without a number", "write $$$WEIGHT 2.5");
      set_weight(take_field(rest), row);
      return skip_separators(rest);
    }
    if (name == "$$$OUTOFDOMAIN" || name == "$$$TASK") {
      fail(fmt::format("{} marks are not read", name),
           "put the rows of each domain into a separate file: --domain NAME=FILE");
    }
    return before;
  }

  void pair_up(Row& row) const {
    auto& fields = row.features;
    if (fields.size() % 2 != 0) {
      fail(fmt::format("feature '{}' has no value", excerpt(fields.back().name)),
           "write FEATURE VALUE FEATURE VALUE ...; if features have no values, --format "
           "megam");
    }
    for (std::size_t i = 0; i < fields.size() / 2; ++i) {
      const std::string_view name = fields[2 * i].name;
      const std::string_view value = fields[2 * i + 1].name;
      fields[i].name = name;
      if (const char* problem = parse_value(value, fields[i].value)) {
        fail_value(value, name, problem);
      }
    }
    fields.resize(fields.size() / 2);
    row.has_values = true;
  }

  // In a MEGAM file these lines begin the development and test sets: do not train on them.
  void refuse_sections(std::string_view line) const {
    if (line != "DEV" && line != "TEST") return;
    fail(fmt::format("'{}' alone on a line begins another set of rows", line),
         "put the rows after it into a separate file");
  }

  [[noreturn]] void fail_no_label() const {
    fail("no label at the start of the line",
         std::string("write LABEL<TAB>FEATURE FEATURE ...") + kUnlabelledHint);
  }

  bool pairs_;
  FieldSplitter splitter_;
};

}  // namespace

std::unique_ptr<RowReader> read_megam(LineReader lines, Format format,
                                      const ReadOptions& options) {
  return std::make_unique<MegamRows>(std::move(lines), format, options);
}

}  // namespace megadapt::corpus
