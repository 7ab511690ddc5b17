// The classes of words in a model file.

#include <fmt/format.h>

#include "corpus/text/word_classes.hpp"
#include "models/model_sections.hpp"

namespace megadapt {
namespace {

std::string lines_of(const NameIndex& index) {
  std::string text;
  for (std::uint32_t i = 0; i < index.size(); ++i) (text += index.name(i)) += '\n';
  return text;
}

NameIndex names_in(const SectionReader& in, const std::string& section) {
  NameIndex index;
  const std::string text = in.text(section);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::uint32_t before = index.size();
    if (index.add(std::string_view(text).substr(begin, end - begin)) < before) {
      in.damaged(fmt::format("section '{}' has the same line twice", section));
    }
    begin = end + 1;
  }
  return index;
}

}  // namespace

void add_classes(SectionWriter& out, const WordClasses& classes) {
  if (classes.empty()) return;
  const WordClassTable& table = classes.table();
  std::string columns;
  for (const std::string& column : table.columns) columns += column + "\n";
  out.add("classes/columns", columns);
  out.add("classes/words", lines_of(table.words));
  out.add("classes/names", lines_of(table.names));
  out.add("classes/ids", std::span(table.ids),
          static_cast<std::uint32_t>(table.columns.size()));
}

WordClasses read_classes(const SectionReader& in) {
  if (!in.has("classes/columns")) return {};
  WordClassTable table{.columns = names_in(in, "classes/columns").names(),
                       .words = names_in(in, "classes/words"),
                       .names = names_in(in, "classes/names")};
  for (const std::string& column : table.columns) {
    if (!class_column_problem(column).empty()) {
      in.damaged("section 'classes/columns' has a name that is not allowed");
    }
  }
  if (table.columns.empty() || table.columns.size() > kMostClassColumns) {
    in.damaged("section 'classes/columns' has none or too many");
  }
  const auto ids = in.u32("classes/ids");
  if (ids.size() != table.words.size() * table.columns.size()) {
    in.damaged("section 'classes/ids' does not have the classes of every word");
  }
  for (const std::uint32_t id : ids) {
    if (id != kNone && id >= table.names.size()) {
      in.damaged("section 'classes/ids' has a class without a name");
    }
  }
  table.ids.assign(ids.begin(), ids.end());
  return WordClasses(std::move(table));
}

}  // namespace megadapt
