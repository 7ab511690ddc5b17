// CSV (RFC 4180) and TSV (no quoting) with a header; the text column becomes features.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/messages.hpp"
#include "corpus/columns.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"
#include "corpus/text_features.hpp"

namespace megadapt::corpus {
namespace {

class TableRows final : public LineRows {
 public:
  TableRows(LineReader lines, Format format, const ReadOptions& options)
      : LineRows(std::move(lines), format, options),
        separator_(format == Format::csv ? ',' : '\t'),
        quotes_(format == Format::csv),
        columns_(read_header(options.columns)),
        text_features_(options.text) {
    if (!columns_.text) fail_no_column("text");
    if (labelled() && !columns_.label) fail_no_column("label");
    if (options.needs_columns && options.columns.domain && !columns_.domain) {
      fail_no_chosen_column(*options.columns.domain);
    }
  }

 private:
  Columns read_header(const ColumnNames& chosen) {
    std::string_view line;
    while (next_line(line)) {
      if (trimmed(line).empty()) continue;
      set_current(line);
      read_record(line);
      return Columns(fields_, chosen);
    }
    return Columns({});
  }
  [[noreturn]] void fail_no_chosen_column(const std::string& name) const {
    fail(fmt::format("no column is called '{}'; found: {}", name,
                     fmt::join(columns_.names, ", ")),
         suggest(name, columns_.names, "give --domain-column the name of a column"));
  }

  bool parse(std::string_view line, Row& row) override {
    if (line.empty() && columns_.names.size() > 1) return false;
    read_record(line);
    if (fields_.size() != columns_.names.size()) fail_ragged();
    if (labelled()) {
      set_label(trimmed(fields_[*columns_.label]), row, "fill in the label column");
    }
    const auto get = [&](std::optional<std::size_t> column) {
      return column ? trimmed(fields_[*column]) : std::string_view();
    };
    if (const std::string_view weight = get(columns_.weight); !weight.empty()) {
      set_weight(weight, row);
    }
    row.id = get(columns_.id);
    row.group = get(columns_.group);
    row.domain = get(columns_.domain);
    text_features_.extract(fields_[*columns_.text], row.features);
    return true;
  }

  // Copies the fields to record_, without quotes. A copy is needed because a quoted field
  // may span several lines, and reading a line invalidates the one before.
  void read_record(std::string_view line) {
    record_.clear();
    ends_.clear();
    for (;;) {
      if (quotes_ && line.starts_with('"')) {
        copy_quoted(line);
      } else {
        const std::size_t end = std::min(line.find(separator_), line.size());
        record_ += line.substr(0, end);
        line.remove_prefix(end);
      }
      ends_.push_back(record_.size());
      if (line.empty()) break;
      line.remove_prefix(1);
    }
    fields_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      fields_.push_back(std::string_view(record_).substr(begin, end - begin));
      begin = end;
    }
  }

  // Afterwards `line` begins with the separator after the field, or is empty.
  void copy_quoted(std::string_view& line) {
    line.remove_prefix(1);
    for (;;) {
      const std::size_t quote = line.find('"');
      if (quote == line.npos) {
        record_ += line;
        record_ += '\n';
        continue_on_next_line(line);
        continue;
      }
      record_ += line.substr(0, quote);
      line.remove_prefix(quote + 1);
      if (!line.starts_with('"')) break;
      record_ += '"';  // two quotes stand for one
      line.remove_prefix(1);
    }
    if (!line.empty() && line.front() != separator_) {
      fail("text follows a closing quote",
           "double the quotes inside a field: \"say \"\"yes\"\"\"");
    }
  }

  void continue_on_next_line(std::string_view& line) {
    first_line_ = place().text;
    set_current_text(first_line_);
    if (!next_line(line)) {
      fail("a quote that opens here is not closed",
           "close it; for text with stray quotes use tab-separated columns");
    }
  }

  [[noreturn]] void fail_ragged() const {
    fail(fmt::format("{} fields, but the header has {}", fields_.size(),
                     columns_.names.size()),
         quotes_ ? "put fields that hold a comma, quote or line end into quotes"
                 : "a tab or a line end inside the text must be replaced by a space");
  }
  [[noreturn]] void fail_no_column(const char* name) const {
    fail(fmt::format("no column is called '{}'; found: {}", name,
                     fmt::join(columns_.names, ", ")),
         fmt::format("rename the column with the {0} to '{0}'{1}", name,
                     std::string_view(name) == "label" ? kUnlabelledHint : ""));
  }

  char separator_;
  bool quotes_;
  std::string record_;
  std::vector<std::size_t> ends_;
  std::vector<std::string_view> fields_;
  std::string first_line_;  // of a record that spans several lines, for messages
  Columns columns_;
  TextFeatures text_features_;
};

}  // namespace

std::unique_ptr<RowReader> read_table(LineReader lines, Format format,
                                      const ReadOptions& options) {
  return std::make_unique<TableRows>(std::move(lines), format, options);
}

}  // namespace megadapt::corpus
