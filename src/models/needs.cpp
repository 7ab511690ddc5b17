#include "models/needs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "container/container.hpp"

namespace megadapt {
namespace {

struct Need {
  std::string name;
  bool (*applies)(const Model& model);
};

// What was added after version 0.1 and changes predictions. Add new entries at the end, and
// to the table in docs/model-file.md with their version.
const std::vector<Need>& known_needs() {
  static const std::vector<Need> needs{
      {"scaled values", [](const Model& model) { return !model.scaling.empty(); }},
      {"word classes", [](const Model& model) { return !model.recipe->classes().empty(); }},
      {"columns of numbers or categories",
       [](const Model& model) {
         const ColumnNames& columns = model.recipe->columns;
         return !columns.numbers.empty() || !columns.categories.empty();
       }},
  };
  return needs;
}

std::vector<std::string> needs_of(const Model& model) {
  std::vector<std::string> names;
  for (const Need& need : known_needs()) {
    if (need.applies(model)) names.push_back(need.name);
  }
  return names;
}

}  // namespace

std::uint32_t format_of(const Model& model) {
  return needs_of(model).empty() ? kFirstFormat : kFormatVersion;
}

void add_needs(SectionWriter& out, const Model& model) {
  const std::vector<std::string> names = needs_of(model);
  if (!names.empty()) out.add(kNeeds, fmt::format("{}\n", fmt::join(names, "\n")));
}

void refuse_unknown_needs(const SectionReader& in, const std::string& created_by) {
  if (!in.has(kNeeds)) return;
  const std::string text = in.text(kNeeds);
  std::vector<std::string> unknown;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    if (std::ranges::find(known_needs(), name, &Need::name) == known_needs().end()) {
      unknown.push_back(name);
    }
    begin = end + 1;
  }
  if (unknown.empty()) return;
  throw ModelFileError(
      fmt::format("{}: made by {} and needs what megadapt {} does not know: {}", in.file(),
                  created_by, version(), fmt::join(unknown, ", ")),
      fmt::format("install {} or a newer version", created_by));
}

}  // namespace megadapt
