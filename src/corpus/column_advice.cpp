#include "corpus/column_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace megadapt::corpus {
namespace {

// Quotes the name for a shell if it needs that.
std::string shell_word(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_' || c == '-' || c == '.';
  };
  if (!name.empty() && std::ranges::all_of(name, plain)) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// " --text-column review", or " 'review' 'text'" for a header that has to be changed.
std::string option_for(const std::string& meaning, const std::string& name,
                       bool names_fixed) {
  return names_fixed ? fmt::format(" '{}' '{}'", name, meaning)
                     : fmt::format(" --{}-column {}", meaning, shell_word(name));
}

// Returns a score that is larger if the column is more likely to hold the labels. A usual
// name has the largest score; otherwise fewer distinct values have a larger one. A column
// with a single value cannot hold the labels.
double label_score(const TableSample& sample, const std::string& name, std::size_t column) {
  static const std::array usual = {"class",  "category", "topic",   "sentiment", "section",
                                   "target", "tag",      "outcome", "y",         "rating"};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  const double distinct = static_cast<double>(sample.distinct(column));
  if (distinct < 2) return -1e9;
  return std::ranges::find(usual, lower) != usual.end() ? 1 : -distinct;
}

/// The columns that have no meaning yet.
class FreeColumns {
 public:
  explicit FreeColumns(const Columns& columns) {
    for (std::size_t c = 0; c < columns.names.size(); ++c) {
      const bool used = std::ranges::find(columns.text, c) != columns.text.end() ||
                        c == columns.label || c == columns.weight || c == columns.id ||
                        c == columns.group || c == columns.domain ||
                        columns.features.contains(columns.names[c]);
      if (!used) free_.push_back(c);
    }
  }

  bool empty() const { return free_.empty(); }

  /// Takes the column with the largest `score`; on a tie, the first.
  std::size_t take(auto score) {
    const auto best = std::ranges::max_element(
        free_, [&](std::size_t a, std::size_t b) { return score(a) < score(b); });
    const std::size_t column = *best;
    free_.erase(best);
    return column;
  }

 private:
  std::vector<std::size_t> free_;
};

}  // namespace

std::string column_advice(const TableSample& sample, const Columns& columns, bool labelled,
                          bool names_fixed) {
  if (sample.first_repeats() || !are_names(columns.names, true)) {
    return "begin the table with a line that names its columns, such as label,text";
  }
  FreeColumns free(columns);
  const bool needs_text = columns.text.empty();
  const bool needs_label = labelled && !columns.label;
  std::string options;
  if (needs_text && !free.empty()) {
    const std::size_t text =
        free.take([&](std::size_t c) { return sample.mean_length(c); });
    options += option_for("text", columns.names[text], names_fixed);
  }
  if (needs_label && !free.empty()) {
    const std::size_t label =
        free.take([&](std::size_t c) { return label_score(sample, columns.names[c], c); });
    options += option_for("label", columns.names[label], names_fixed);
  }
  if (options.empty()) {
    return fmt::format("give the table a column with the {}",
                       needs_text ? "text" : "label");
  }
  return (names_fixed ? "in the header, call" : "add") + options;
}

}  // namespace megadapt::corpus
