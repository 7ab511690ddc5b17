// CSV (RFC 4180) and TSV (no quoting) with a header; the text column becomes features.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/messages.hpp"
#include "corpus/column_advice.hpp"
#include "corpus/columns.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"
#include "corpus/records.hpp"

namespace megadapt::corpus {
namespace {

class TableRows final : public LineRows {
 public:
  TableRows(LineReader lines, Format format, const ReadOptions& options)
      : LineRows(std::move(lines), format, options),
        csv_(format == Format::csv),
        records_(csv_),
        columns_(read_header(options)) {
    check_columns();
  }

 private:
  Columns read_header(const ReadOptions& options) {
    for (std::string_view line; next_line(line);) {
      if (trimmed(line).empty()) continue;
      header_ = line;  // for messages, and for a sample of the table
      set_current(header_);
      read_record(header_);
      return {records_.fields(), options};
    }
    throw_no_rows(place().file);
  }

  bool parse(std::string_view line, Row& row) override {
    if (line.empty() && columns_.names.size() > 1) return false;
    read_record(line);
    const auto& fields = records_.fields();
    if (fields.size() != columns_.names.size()) fail_ragged();
    if (labelled()) {
      set_label(trimmed(fields[*columns_.label]), row, "fill in the label column");
    }
    const auto get = [&](std::optional<std::size_t> column) {
      return column ? trimmed(fields[*column]) : std::string_view();
    };
    if (const std::string_view weight = get(columns_.weight); !weight.empty()) {
      set_weight(weight, row);
    }
    if (options().labels_optional) row.label = get(columns_.label);
    row.id = get(columns_.id);
    row.group = get(columns_.group);
    row.domain = get(columns_.domain);
    row.text = text_of(fields);
    add_columns(row, [&](const std::string& name) -> std::optional<std::string_view> {
      const auto column = columns_.features.find(name);
      if (column == columns_.features.end()) return std::nullopt;
      return fields[column->second];
    });
    return true;
  }

  std::string_view text_of(const std::vector<std::string_view>& fields) {
    if (columns_.text.size() == 1) return fields[columns_.text[0]];
    joined_.clear();
    for (const std::size_t column : columns_.text) {
      if (!joined_.empty()) joined_ += ' ';
      joined_ += fields[column];
    }
    return joined_;
  }

  void read_record(std::string_view line) {
    Records::State state = records_.start(line);
    if (state == Records::State::open) {
      first_line_ = place().text;
      set_current_text(first_line_);
    }
    while (state == Records::State::open) {
      if (!next_line(line)) {
        fail("a quote that opens here is not closed",
             "close it; for text with stray quotes use tab-separated columns");
      }
      state = records_.go_on(line);
    }
    if (state == Records::State::bad) {
      fail("text follows a closing quote",
           "double the quotes inside a field: \"say \"\"yes\"\"\"");
    }
  }

  void check_columns() {
    if (!columns_.repeated.empty()) {
      fail(fmt::format("two columns are called '{}'", columns_.repeated.front()),
           "give each column a name of its own");
    }
    const bool text = !columns_.text.empty() || !columns_.features.empty();
    const bool label = columns_.label || !labelled();
    for (const auto& [option, name] : columns_.missing) {
      const bool of_text = option == "text-column";
      const bool of_features = option == kNumberColumns || option == kCategoryColumns;
      if (options().needs_column(option) || of_features ||
          (of_text && text && !falls_back())) {
        fail_no_column(fmt::format("'{}'", name),
                       suggest(name, columns_.names,
                               fmt::format("give --{} the name of a column", option)));
      }
    }
    if (text && label) return;
    const std::string wanted = text ? "'label'" : label ? "'text'" : "'label' or 'text'";
    std::string advice =
        column_advice(sample(), columns_, labelled(), options().columns_fixed);
    if (text && !label) advice += kUnlabelledHint;
    if (!text && columns_.names.size() == 1 && !options().columns_fixed) {
      advice += "; if this line is no header, name the --format, such as text";
    }
    fail_no_column(wanted, advice);
  }

  // Whether all chosen text columns are missing, so that the column `text` takes their
  // place.
  bool falls_back() const {
    std::size_t missing = 0;
    for (const auto& [option, name] : columns_.missing) missing += option == "text-column";
    return missing == options().columns.text.size();
  }

  TableSample sample() {
    const auto [bytes, whole] = peek();
    std::vector<std::string_view> lines = sample_lines(bytes, whole);
    lines.insert(lines.begin(), header_);
    return {lines, csv_};
  }

  [[noreturn]] void fail_ragged() const {
    fail(fmt::format("{} fields, but the header has {}", records_.fields().size(),
                     columns_.names.size()),
         csv_ ? "put fields that hold a comma, quote or line end into quotes"
              : "a tab or a line end inside the text must be replaced by a space");
  }
  [[noreturn]] void fail_no_column(const std::string& wanted,
                                   const std::string& fix) const {
    fail(fmt::format("no column is called {}; found: {}", wanted,
                     fmt::join(columns_.names, ", ")),
         fix);
  }

  bool csv_;
  Records records_;
  std::string header_;
  std::string first_line_;  // of a record that spans several lines, for messages
  Columns columns_;
  std::string joined_;  // the text of several columns
};

}  // namespace

std::unique_ptr<RowReader> read_table(LineReader lines, Format format,
                                      const ReadOptions& options) {
  return std::make_unique<TableRows>(std::move(lines), format, options);
}

}  // namespace megadapt::corpus
