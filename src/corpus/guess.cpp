#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "corpus/columns.hpp"
#include "corpus/fields.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"
#include "corpus/records.hpp"

namespace megadapt::corpus {
namespace {

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

std::string in_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

bool is_blank(std::string_view line) { return skip_separators(line).empty(); }

bool has_columns(const std::vector<std::string>& header, const GuessOptions& options,
                 bool csv) {
  const std::vector<std::string_view> names(header.begin(), header.end());
  const Columns columns(names, ReadOptions{.columns = options.columns});
  const bool text = !columns.text.empty();
  if (!text && !columns.label) return false;
  if (text && (columns.label || !options.labelled)) return true;
  // A line LABEL<TAB>FEATURE may happen to hold the word `text` or `label`, so two columns
  // with only one of these names count as a header in CSV but not in TSV. The table reader
  // then says which column is missing.
  if (csv && text && options.expects_text) return true;
  return names.size() >= (csv ? 2 : 3);
}

// Whether a table has a header of other names than the usual ones. Prose has a space after
// a comma.
bool has_other_header(const TableSample& csv, std::string_view line) {
  if (csv.columns() < 2) return false;
  if (line.find_first_of(" \t") == line.npos && are_names(csv.records[0], false)) {
    return true;
  }
  if (csv.records.size() < 3) return false;
  if (csv.had_quotes && csv.is_regular()) return true;
  return are_names(csv.records[0], true) && line.find(", ") == line.npos &&
         2 * csv.irregular < csv.records.size();
}

// The same for tabs, which also separate the label and the features of a row. A header is
// told from a row by names that do not occur again, above values of another kind: running
// text, or numbers.
bool has_other_tab_header(const TableSample& tsv) {
  constexpr std::size_t kEnoughRows = 8;
  const std::size_t rows = tsv.records.size() - 1;
  if (tsv.columns() < 2 || !tsv.is_regular() || !are_names(tsv.records[0], false))
    return false;
  if (rows < 2 || tsv.first_repeats()) return false;
  if (tsv.columns() == 2) {
    const bool text_first = 2 * tsv.several_words(0) > rows;
    const bool text_last = 2 * tsv.several_words(1) > rows && rows >= kEnoughRows &&
                           2 * tsv.distinct(0) <= rows && tsv.several_words(0) == 0;
    return text_first || text_last;
  }
  for (std::size_t c = 0; c < tsv.columns(); ++c) {
    if (tsv.several_words(c) > 0 || tsv.is_numeric(c)) return true;
  }
  return false;
}

// Whether most rows of one column have several words.
bool has_texts(const TableSample& table) {
  if (table.columns() < 2 || table.records.size() < 2) return false;
  const std::size_t rows = table.records.size() - 1;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    if (2 * table.several_words(c) > rows) return true;
  }
  return false;
}

/// The first lines of a file, read as CSV and as TSV.
struct Tables {
  explicit Tables(const std::vector<std::string_view>& lines)
      : csv(lines, true), tsv(lines, false) {}
  TableSample csv, tsv;
};

std::optional<Format> guess_table(const Tables& tables, const GuessOptions& options) {
  const auto fits = [&](const TableSample& table, bool csv) {
    return table.columns() > 0 && has_columns(table.records[0], options, csv);
  };
  if (fits(tables.csv, true)) return Format::csv;
  if (fits(tables.tsv, false)) return Format::tsv;
  return std::nullopt;
}

// A header of other names than the usual ones must not become a row. The table reader says
// how to name its columns.
std::optional<Format> guess_other_table(const Tables& tables, std::string_view first) {
  if (tables.tsv.columns() > 1) {
    return has_other_tab_header(tables.tsv) ? std::optional(Format::tsv) : std::nullopt;
  }
  return has_other_header(tables.csv, first) ? std::optional(Format::csv) : std::nullopt;
}

// Spreadsheets write `;` in locales with a decimal comma. A line of raw text may hold one,
// too, and is a header only if it names the column of text.
void refuse_other_separators(std::string_view header, const GuessOptions& options,
                             bool may_be_text, const std::string& file) {
  for (const char separator : {';', '|'}) {
    const Fields fields = cut(header, separator);
    std::vector<std::string> names;
    for (const std::string_view name : fields) names.emplace_back(trimmed(name));
    if (names.size() < 2 || !are_names(names, false)) continue;
    if (may_be_text && Columns(fields, {.columns = options.columns}).text.empty()) continue;
    throw InputError({file, 1, std::string(header)},
                     std::string("the columns are separated by '") + separator + "'",
                     "save the table with commas (CSV) or tabs (TSV) between columns");
  }
}

// Excel reads such a line to learn how columns are separated.
void refuse_separator_line(std::string_view line, const std::string& file) {
  if (!line.starts_with("sep=") || line.size() > 5) return;
  throw InputError({file, 1, std::string(line)}, "this line is not the header of the table",
                   "delete it: the header comes first");
}

// Whether the file is called FILE.csv, FILE.csv.gz or FILE.csv.zst.
bool is_called_csv(const std::string& file) {
  const std::string name = in_lower_case(file);
  return name.ends_with(".csv") || name.ends_with(".csv.gz") || name.ends_with(".csv.zst");
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

// Whether these words are a sentence as people write it: several words, with the full stop
// glued to the last one.
bool is_sentence(const Fields& words) {
  const std::string_view last = words.back();
  const bool end = last.ends_with('.') || last.ends_with('!') || last.ends_with('?');
  return words.size() > 3 && last.size() > 1 && end;
}

// Whether most lines are sentences without a label. The first words of a few sentences differ
// and are capitalised; those of many differ less, but most of them occur inside of others.
bool is_raw_text(const std::vector<std::string_view>& lines) {
  constexpr std::size_t kManyLabels = 6;
  std::size_t rows = 0, sentences = 0, capitals = 0;
  std::vector<std::string> first;
  std::set<std::string> inside;
  for (const std::string_view line : lines) {
    if (is_blank(line) || line.find('\t') != line.npos) continue;
    const Fields fields = words(line);
    ++rows;
    sentences += is_sentence(fields);
    capitals += fields[0].front() >= 'A' && fields[0].front() <= 'Z';
    first.push_back(in_lower_case(fields[0]));
    for (std::size_t i = 1; i < fields.size(); ++i) inside.insert(in_lower_case(fields[i]));
  }
  if (rows < 2 || 2 * sentences <= rows) return false;
  const std::size_t distinct = std::set<std::string>(first.begin(), first.end()).size();
  const auto again = static_cast<std::size_t>(std::ranges::count_if(
      first, [&](const std::string& word) { return inside.contains(word); }));
  return (distinct == rows && 2 * capitals > rows) ||
         (distinct >= kManyLabels && 2 * again > rows);
}

}  // namespace

Format guess_format(std::string_view sample, bool whole, const GuessOptions& options,
                    const std::string& file) {
  const std::vector<std::string_view> lines = sample_lines(sample, whole);
  const auto first = std::ranges::find_if_not(lines, is_blank);
  const bool raw_text = options.expects_text && !options.labelled;
  const bool csv = is_called_csv(file);  // then the first line is no row
  if (first == lines.end()) {
    if (whole && options.labelled) throw_no_rows(file);
    return csv ? Format::csv : raw_text ? Format::text : Format::megam;
  }
  const std::string_view start = skip_separators(*first);
  if (start.starts_with('{')) return Format::jsonl;
  if (start == "[" || start.starts_with("[{")) {
    throw InputError({file}, "is one JSON array",
                     "write one object per line: jq -c '.[]' FILE");
  }
  refuse_separator_line(*first, file);
  const Tables tables(lines);
  if (const auto table = guess_table(tables, options)) return *table;
  if (raw_text) {
    refuse_other_separators(*first, options, !csv, file);
    if (csv) return Format::csv;
    // A header without spaces above a column of texts is a table, not a text.
    const bool header =
        first->find(' ') == first->npos && (has_texts(tables.csv) || has_texts(tables.tsv));
    return (header ? guess_other_table(tables, *first) : std::nullopt)
        .value_or(Format::text);
  }
  if (is_libsvm(lines, options.labelled)) return Format::libsvm;
  if (is_conll(lines)) {
    throw InputError({file}, "looks like CoNLL columns, one token a line",
                     std::string("write one row a line: LABEL<TAB>FEATURE FEATURE ...") +
                         kNameTheFormat);
  }
  if (const auto table = guess_other_table(tables, *first)) return *table;
  refuse_other_separators(*first, options, false, file);
  if (csv) return Format::csv;
  if (options.labelled && is_raw_text(lines)) {
    throw InputError({file}, "looks like text without labels, a document a line",
                     std::string("put LABEL<TAB> before each text, or give CSV with the "
                                 "columns label and text; name the --format if the first "
                                 "word is the label") +
                         kUnlabelledHint);
  }
  if (is_fvals(lines, options.labelled)) {
    throw InputError({file}, "every second word is a number: values, or names of features?",
                     "give --format megam-fvals if they are values, else --format megam");
  }
  return Format::megam;
}

}  // namespace megadapt::corpus
