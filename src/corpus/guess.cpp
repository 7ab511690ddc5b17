#include <algorithm>
#include <optional>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/fields.hpp"
#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::size_t kSampledLines = 64;
constexpr const char* kNameTheFormat = "; if it is right as it is, name its --format";

using Fields = std::vector<std::string_view>;

Fields cut(std::string_view line, char separator) {
  Fields fields;
  for (;;) {
    const std::size_t end = line.find(separator);
    fields.push_back(line.substr(0, end));
    if (end == line.npos) return fields;
    line.remove_prefix(end + 1);
  }
}

Fields words(std::string_view line) {
  Fields found;
  while (!(line = skip_separators(line)).empty()) found.push_back(take_field(line));
  return found;
}

// Returns complete lines only: the sample may end inside the last one.
std::vector<std::string_view> sample_lines(std::string_view sample, bool whole) {
  std::vector<std::string_view> lines = cut(sample, '\n');
  if (lines.size() > 1 && (!whole || lines.back().empty())) lines.pop_back();
  if (lines.size() > kSampledLines) lines.resize(kSampledLines);
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

bool is_blank(std::string_view line) { return skip_separators(line).empty(); }

// A line LABEL<TAB>FEATURE may happen to hold the word `text` or `label`, so two columns
// with only one of these names count as a header in CSV but not in TSV. A header without
// one of the two is accepted otherwise: the table reader then says which column is missing.
std::optional<Format> guess_table(std::string_view header, bool labelled) {
  for (const Format format : {Format::csv, Format::tsv}) {
    Fields names = cut(header, format == Format::csv ? ',' : '\t');
    for (std::string_view& name : names) {
      name = trimmed(name);
      if (name.size() > 1 && name.starts_with('"') && name.ends_with('"')) {
        name = name.substr(1, name.size() - 2);
      }
    }
    const Columns columns(names);
    if (!columns.text && !columns.label) continue;
    const bool both = columns.text && columns.label;
    const bool several = names.size() >= (format == Format::csv ? 2 : 3);
    if (both || several || (!labelled && columns.text)) return format;
  }
  return std::nullopt;
}

// Spreadsheets write `;` in locales with a decimal comma.
void refuse_other_separators(std::string_view header, const std::string& file) {
  for (const char separator : {';', '|'}) {
    const Columns columns(cut(header, separator));
    if (!columns.text || !columns.label) continue;
    throw InputError({file, 1, std::string(header)},
                     std::string("the columns are separated by '") + separator + "'",
                     "save the table with commas (CSV) or tabs (TSV) between columns");
  }
}

bool is_index_and_value(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == word.npos || colon == 0) return false;
  const std::string_view index = word.substr(0, colon);
  float ignored = 0;
  const bool integer =
      std::ranges::all_of(index, [](char c) { return c >= '0' && c <= '9'; });
  return index == "qid" || (integer && !parse_value(word.substr(colon + 1), ignored));
}

bool is_libsvm(const std::vector<std::string_view>& lines, bool labelled) {
  bool pairs = false;
  for (const std::string_view line : lines) {
    Fields fields = words(line);
    const auto comment =
        std::ranges::find_if(fields, [](std::string_view f) { return f.starts_with('#'); });
    fields.erase(comment, fields.end());
    if (fields.empty()) continue;
    // Accept a line without a label: the reader will report it.
    const bool has_label = labelled && !is_index_and_value(fields.front());
    const auto begin = fields.begin() + (has_label ? 1 : 0);
    if (!std::all_of(begin, fields.end(), is_index_and_value)) return false;
    pairs |= begin != fields.end();
  }
  return pairs;
}

// One token per line, in columns, with blank lines between sentences.
bool is_conll(const std::vector<std::string_view>& lines) {
  constexpr std::size_t kEnough = 4;
  std::size_t tokens = 0, columns = 0;
  bool sentence_end = false, blank = false;
  for (const std::string_view line : lines) {
    if (line.starts_with('#')) continue;
    if (is_blank(line)) {
      blank = tokens > 0;
      continue;
    }
    const std::size_t count = cut(line, '\t').size();
    if (count < 2 || (columns != 0 && count != columns)) return false;
    if (words(line).size() > count) return false;
    columns = count;
    sentence_end |= blank;
    ++tokens;
  }
  return tokens >= kEnough && sentence_end;
}

// LABEL name number name number ...: the numbers are values, or names of features.
bool is_fvals(const std::vector<std::string_view>& lines, bool labelled) {
  std::size_t rows = 0, pairs = 0;
  const auto number = [](std::string_view word) {
    float ignored = 0;
    return !parse_value(word, ignored);
  };
  for (const std::string_view line : lines) {
    if (is_blank(line) || line.starts_with('#')) continue;
    Fields fields = words(line);
    if (labelled) fields.erase(fields.begin());
    if (fields.size() > 1 && fields.front() == "$$$WEIGHT") {
      fields.erase(fields.begin(), fields.begin() + 2);
    }
    if (fields.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < fields.size(); i += 2) {
      if (number(fields[i]) || !number(fields[i + 1])) return false;
    }
    ++rows;
    pairs += fields.size() / 2;
  }
  return rows >= 2 && pairs >= 4;
}

}  // namespace

Format guess_format(std::string_view sample, bool whole, bool labelled,
                    const std::string& file) {
  const std::vector<std::string_view> lines = sample_lines(sample, whole);
  const auto first = std::ranges::find_if_not(lines, is_blank);
  if (first == lines.end()) return Format::megam;  // its reader will find no rows
  const std::string_view start = skip_separators(*first);
  if (start.starts_with('{')) return Format::jsonl;
  if (start == "[" || start.starts_with("[{")) {
    throw InputError({file}, "is one JSON array",
                     "write one object per line: jq -c '.[]' FILE");
  }
  if (const auto table = guess_table(*first, labelled)) return *table;
  refuse_other_separators(*first, file);
  if (is_libsvm(lines, labelled)) return Format::libsvm;
  if (is_conll(lines)) {
    throw InputError({file}, "looks like CoNLL columns, one token a line",
                     std::string("write one row a line: LABEL<TAB>FEATURE FEATURE ...") +
                         kNameTheFormat);
  }
  if (is_fvals(lines, labelled)) {
    throw InputError({file}, "every second word is a number: values, or names of features?",
                     "say --format megam-fvals if they are values, else --format megam");
  }
  return Format::megam;
}

}  // namespace megadapt::corpus
