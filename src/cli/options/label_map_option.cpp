#include "cli/options/label_map_option.hpp"

#include <fmt/format.h>

#include "dataset/recipe_options.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {

void add_map_labels_option(CLI::App& command, std::string& path) {
  command.add_option("--map-labels", path, recipe_table().find("map-labels").help)
      ->type_name("FILE")
      ->group("Input");
}

std::optional<LabelMap> read_label_map(const std::string& path) {
  if (path.empty()) return std::nullopt;
  return LabelMap::read(path);
}

void refuse_label_map(const std::string& path) {
  if (path.empty()) return;
  throw UsageError("--map-labels renames labels of rows, not tags of a task",
                   "rename the tags in the file, or leave out --map-labels");
}

void warn_of_unused(const std::vector<LabelMap::Rule>& unused, std::size_t dropped_rows,
                    const std::string& path, const CommonOptions& common) {
  for (const LabelMap::Rule& rule : unused) {
    common.note("warning: {}:{}: no row{} has the label '{}'", path, rule.line,
                rule.domain.empty() ? "" : fmt::format(" of domain '{}'", rule.domain),
                rule.label);
  }
  common.detail("the label map dropped {}", counted(dropped_rows, "row"));
}

}  // namespace megadapt::cli
