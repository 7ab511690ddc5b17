// Reads tables of words and classes, such as `words cluster` writes.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/messages.hpp"
#include "corpus/bytes/bytes.hpp"
#include "corpus/lines.hpp"
#include "corpus/text/word_classes.hpp"
#include "megadapt/words.hpp"

namespace megadapt {
namespace words {
namespace {

constexpr const char* kForm =
    "write WORD<TAB>CLASS..., under a first line such as word<TAB>class64<TAB>class512; "
    "'megadapt words cluster' writes such a table";

class ClassFile {
 public:
  explicit ClassFile(const std::string& path)
      : name_(corpus::display_name(path)),
        lines_(corpus::decompressed(corpus::open_stored(path), name_), name_) {}

  WordClassTable read() {
    while (lines_.next(line_)) {
      if (line_.empty()) continue;
      split();
      if (table_.columns.empty() && take_header()) continue;
      add_row();
    }
    if (table_.words.size() == 0) throw InputError({name_}, "has no words", kForm);
    return std::move(table_);
  }

 private:
  void split() {
    fields_.clear();
    for (std::size_t begin = 0;;) {
      const std::size_t tab = line_.find('\t', begin);
      fields_.push_back(line_.substr(begin, tab - begin));
      if (tab == line_.npos) return;
      begin = tab + 1;
    }
  }

  // Returns whether the first line was a header, and not a word with its class.
  bool take_header() {
    if (fields_.size() >= 2 && fields_[0] == "word" && fields_[1].starts_with("class")) {
      counts_ = fields_.back() == "count";
      table_.columns.assign(fields_.begin() + 1, fields_.end() - (counts_ ? 1 : 0));
      check_columns();
      return true;
    }
    if (is_vector()) {
      throw InputError({name_, lines_.line_number(), excerpt(line_)},
                       "this is a table of word vectors, not of classes",
                       "give it to --word-vectors, which makes classes of it");
    }
    if (fields_.size() != 2) {
      fail(fmt::format("{} fields in the first line, which does not name its columns",
                       fields_.size()));
    }
    table_.columns = {"class"};
    return false;
  }

  // Returns whether the line has no tabs and ends in a space and a number, as tables of word
  // vectors have it.
  bool is_vector() const {
    const std::size_t space = line_.rfind(' ');
    if (fields_.size() > 1 || space == line_.npos) return false;
    const char* const end = line_.data() + line_.size();
    double number = 0;
    const auto read = std::from_chars(line_.data() + space + 1, end, number);
    return read.ec == std::errc() && read.ptr == end;
  }

  void check_columns() const {
    if (table_.columns.size() > kMostClassColumns) {
      fail(fmt::format("more than {} columns of classes", kMostClassColumns));
    }
    for (auto column = table_.columns.begin(); column != table_.columns.end(); ++column) {
      const std::string problem = class_column_problem(*column);
      if (!problem.empty()) fail(problem);
      if (std::find(table_.columns.begin(), column, *column) != column) {
        fail(fmt::format("two columns are called '{}'", *column));
      }
    }
  }

  void add_row() {
    const std::size_t expected = 1 + table_.columns.size() + (counts_ ? 1 : 0);
    if (fields_.size() != expected) {
      fail(fmt::format(
          "{} between tabs where {} were expected",
          fields_.size() == 1 ? "1 field" : fmt::format("{} fields", fields_.size()),
          expected));
    }
    if (fields_[0].empty()) fail("the word is empty");
    const std::uint32_t before = table_.words.size();
    if (table_.words.add(fields_[0]) < before) {
      fail(fmt::format("the word '{}' has classes already", fields_[0]));
    }
    for (std::size_t c = 1; c <= table_.columns.size(); ++c) {
      if (fields_[c].find_first_of("|\\") != std::string_view::npos) {
        fail(fmt::format("the class '{}' has a | or a \\, which features use to join parts",
                         fields_[c]));
      }
      const bool none = fields_[c].empty() || fields_[c] == "_";
      table_.ids.push_back(none ? kNone : table_.names.add(fields_[c]));
    }
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({name_, lines_.line_number(), excerpt(line_)}, problem, kForm);
  }

  std::string name_;
  corpus::LineReader lines_;
  std::string_view line_;
  std::vector<std::string_view> fields_;
  bool counts_ = false;
  WordClassTable table_;
};

}  // namespace
}  // namespace words

WordClasses read_word_classes(const std::string& path) {
  return WordClasses(words::ClassFile(path).read());
}

}  // namespace megadapt
