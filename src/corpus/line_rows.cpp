#include "corpus/line_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/messages.hpp"
#include "corpus/fields.hpp"
#include "corpus/label_shares.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::size_t kLongestShown = 400;  // excerpt() shortens it further, by characters

void reset(Row& row) {
  row.label = {};
  row.shares.clear();
  row.has_values = false;
  row.weight = 1;
  row.domain = {};
  row.id = {};
  row.group = {};
  row.text = {};
  row.from_text = false;
  row.columns = 0;
}

}  // namespace

void throw_no_rows(const std::string& file) {
  throw InputError({file}, "has no rows", "give a file with at least one line of data");
}

LineRows::LineRows(LineReader lines, Format format, const ReadOptions& options)
    : lines_(std::move(lines)),
      format_(format),
      options_(options),
      maker_(options.text, options.columns) {}

bool LineRows::next(Row& row) {
  text_ = {};  // it points into the buffer that is about to be refilled
  for (std::string_view line; lines_.next(line); text_ = {}) {
    set_current(line);
    reset(row);
    if (!parse(line, row)) continue;
    row.line = line_;
    row.unmade = row.from_text || options_.text.hash_bits > 0;
    if (row.unmade && !options_.defer_features) maker_.make(row);
    row.number = ++rows_;
    return true;
  }
  if (rows_ == 0 && !options_.range) {
    throw_no_rows(lines_.file());
  }
  return false;
}

void LineRows::add_columns(Row& row, const FeatureMaker::GetColumn& get) {
  row.features.clear();
  row.from_text = true;
  if (!maker_.has_columns()) return;
  const std::string problem = maker_.add_columns(row, get);
  if (problem.empty()) return;
  fail(problem, "write a finite number such as 1, -0.5 or 2e-3, or leave it empty");
}

Place LineRows::place() const {
  return {lines_.file(), lines_.lines_before() + line_,
          std::string(text_.substr(0, kLongestShown))};
}

void LineRows::set_current(std::string_view line) {
  line_ = lines_.line_number();
  text_ = line;
}

void LineRows::fail(const std::string& problem, const std::string& fix) const {
  throw InputError(place(), problem, fix);
}

void LineRows::fail_value(std::string_view value, std::string_view feature,
                          const char* problem) const {
  fail(fmt::format("the value '{}' of feature '{}' {}", excerpt(value), excerpt(feature),
                   problem),
       "write a finite number such as 1, -0.5 or 2e-3");
}

void LineRows::set_weight(std::string_view text, Row& row) const {
  if (const char* problem = parse_weight(text, row.weight)) {
    fail(fmt::format("the weight '{}' {}", excerpt(text), problem),
         "write a finite number that is 0 or more");
  }
}

void LineRows::set_label(std::string_view label, Row& row, const char* fix) const {
  if (label.empty()) fail("no label", std::string(fix) + kUnlabelledHint);
  check_label(label);
  row.label = label;
}

void LineRows::set_shares(std::span<const NamedShare> shares, Row& row) const {
  for (const NamedShare& one : shares) {
    if (one.label.empty()) fail("a label has an empty name", "give every label a name");
    check_label(one.label);
  }
  row.shares.assign(shares.begin(), shares.end());
  settle_shares(row);
}

void LineRows::check_label(std::string_view label) const {
  const auto control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  };
  if (std::ranges::any_of(label, control)) {
    fail(fmt::format("the label '{}' holds a control character", excerpt(label)),
         "write labels without tabs and line ends");
  }
}

}  // namespace megadapt::corpus
