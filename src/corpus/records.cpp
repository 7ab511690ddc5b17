#include "corpus/records.hpp"

#include <algorithm>
#include <set>

#include "corpus/columns.hpp"
#include "corpus/fields.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::size_t kSampledLines = 64;
constexpr std::size_t kLongestName = 40;

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  while (!(text = skip_separators(text)).empty()) {
    take_field(text);
    ++words;
  }
  return words;
}

// Letters of other scripts begin with a byte above 0x7f.
bool begins_a_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) > 0x7f;
}

bool is_name(std::string_view field, bool words) {
  if (field.empty() || field.size() > kLongestName || !begins_a_name(field.front())) {
    return false;
  }
  if (field.find_first_of("\t\",;!?:=/|<>()#@") != field.npos || field.back() == '.')
    return false;
  return count_words(field) <= (words ? 3 : 1);
}

}  // namespace

Records::State Records::start(std::string_view line) {
  record_.clear();
  ends_.clear();
  return split(line);
}

Records::State Records::split(std::string_view line) {
  for (;;) {
    if (quotes_ && line.starts_with('"')) {
      line.remove_prefix(1);
      had_quotes_ = true;
      if (const State state = copy_quoted(line); state != State::whole) return state;
    } else {
      const std::size_t end = std::min(line.find(separator_), line.size());
      record_ += line.substr(0, end);
      line.remove_prefix(end);
    }
    ends_.push_back(record_.size());
    if (line.empty()) break;
    line.remove_prefix(1);
  }
  set_fields();
  return State::whole;
}

Records::State Records::go_on(std::string_view line) {
  if (const State state = copy_quoted(line); state != State::whole) return state;
  ends_.push_back(record_.size());
  if (!line.empty()) return split(line.substr(1));
  set_fields();
  return State::whole;
}

// Afterwards `line` begins with the separator after the field, or is empty.
Records::State Records::copy_quoted(std::string_view& line) {
  for (;;) {
    const std::size_t quote = line.find('"');
    if (quote == line.npos) {
      record_ += line;
      record_ += '\n';
      return State::open;
    }
    record_ += line.substr(0, quote);
    line.remove_prefix(quote + 1);
    if (!line.starts_with('"')) break;
    record_ += '"';  // two quotes stand for one
    line.remove_prefix(1);
  }
  return line.empty() || line.front() == separator_ ? State::whole : State::bad;
}

void Records::set_fields() {
  fields_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    fields_.push_back(std::string_view(record_).substr(begin, end - begin));
    begin = end;
  }
}

TableSample::TableSample(const std::vector<std::string_view>& lines, bool csv) {
  Records split(csv);
  auto state = Records::State::whole;
  for (const std::string_view line : lines) {
    if (state == Records::State::whole && trimmed(line).empty()) continue;
    state = state == Records::State::open ? split.go_on(line) : split.start(line);
    if (state == Records::State::open) continue;
    auto& record = records.emplace_back();
    if (state == Records::State::bad) {
      state = Records::State::whole;
      ++irregular;
      continue;
    }
    for (const std::string_view field : split.fields()) record.emplace_back(trimmed(field));
    irregular += record.size() != records[0].size();
  }
  had_quotes = split.had_quotes();
}

bool TableSample::first_repeats() const {
  for (std::size_t c = 0; c < columns(); ++c) {
    for (std::size_t r = 1; r < records.size(); ++r) {
      if (c < records[r].size() && records[r][c] == records[0][c]) return true;
    }
  }
  return false;
}

std::size_t TableSample::distinct(std::size_t column) const {
  std::set<std::string_view> values;
  for (std::size_t r = 1; r < records.size(); ++r) {
    if (column < records[r].size()) values.insert(records[r][column]);
  }
  return values.size();
}

double TableSample::mean_length(std::size_t column) const {
  double sum = 0;
  for (std::size_t r = 1; r < records.size(); ++r) {
    if (column < records[r].size()) sum += static_cast<double>(records[r][column].size());
  }
  return records.size() < 2 ? 0 : sum / static_cast<double>(records.size() - 1);
}

std::size_t TableSample::several_words(std::size_t column) const {
  std::size_t count = 0;
  for (std::size_t r = 1; r < records.size(); ++r) {
    count += column < records[r].size() && count_words(records[r][column]) > 1;
  }
  return count;
}

bool TableSample::is_numeric(std::size_t column) const {
  for (std::size_t r = 1; r < records.size(); ++r) {
    float ignored = 0;
    if (column >= records[r].size() || parse_value(records[r][column], ignored))
      return false;
  }
  return records.size() > 1;
}

bool are_names(const std::vector<std::string>& fields, bool words) {
  std::set<std::string_view> seen;
  for (const std::string& field : fields) {
    if (!is_name(field, words) || !seen.insert(field).second) return false;
  }
  return true;
}

std::vector<std::string_view> sample_lines(std::string_view sample, bool whole) {
  std::vector<std::string_view> lines;
  while (!sample.empty() && lines.size() < kSampledLines) {
    const std::size_t end = sample.find('\n');
    // The sample may end inside its last line. If that is the only line, use it cut off.
    if (end == sample.npos && !whole && !lines.empty()) break;
    std::string_view line = sample.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    sample.remove_prefix(end == sample.npos ? sample.size() : end + 1);
  }
  return lines;
}

}  // namespace megadapt::corpus
