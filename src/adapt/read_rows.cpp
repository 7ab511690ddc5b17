#include <fmt/format.h>

#include "corpus/columns.hpp"
#include "dataset/learn_scaling.hpp"
#include "dataset/row_checks.hpp"
#include "megadapt/adapt.hpp"

namespace megadapt {
namespace {

NameIndex names_of(NameIndexView view) {
  NameIndex names;
  for (std::uint32_t id = 0; id < view.size(); ++id) names.add(view.name(id));
  return names;
}

// Gives rows feature ids that begin with the former model's, and bins values as it does. A
// feature still occurs only once in a row, because each value goes to one bin.
void rename_features(Dataset& data, const Model& former) {
  NameIndex features = names_of(former.features);
  SparseRows& rows = data.rows;
  for (std::size_t i = 0; i < rows.nonzeros(); ++i) {
    const std::string_view name = data.features().name(rows.feature[i]);
    const std::uint32_t binned = former.binning.features.find(name);
    if (binned == kNone) {
      rows.feature[i] = features.add(name);
      continue;
    }
    const float value = rows.value.empty() ? 1 : rows.value[i];
    rows.feature[i] =
        features.add(former.binning.bin_name(binned, former.binning.bin(binned, value)));
    if (!rows.value.empty()) rows.value[i] = 1;
  }
  data.own_schema().features = std::move(features);
  data.own_schema().binning = former.binning;
  data.own_schema().scaling = former.scaling;
  scale_values(rows, former.scaling);
}

void rename_labels(Dataset& data, const Model& former) {
  NameIndex labels;
  for (const std::string& label : former.labels) labels.add(label);
  for (std::uint32_t& label : data.label) label = labels.add(data.labels().name(label));
  for (LabelShare& share : data.soft.shares) {
    share.label = labels.add(data.labels().name(share.label));
  }
  data.own_schema().labels = std::move(labels);
}

void rename_domain(Dataset& data, const Model& former) {
  const std::uint32_t own = data.domain[0];
  for (const std::uint32_t domain : data.domain) {
    if (domain == own) continue;
    throw UsageError(fmt::format("the rows belong to more than one domain, '{}' and '{}'",
                                 data.domains().name(own), data.domains().name(domain)),
                     "keep the rows of one of them in the file: a model is adapted to one "
                     "domain at a time");
  }
  NameIndex domains;
  for (const ModelInfo::Domain& domain : former.info.domains) domains.add(domain.name);
  const std::uint32_t id = domains.add(data.domains().name(own));
  data.domain.assign(data.domain.size(), id);
  data.own_schema().domains = std::move(domains);
}

/// The recipe by which new rows are read. The old vocabulary is complete, so no feature is
/// dropped, and rename_features() bins values.
Recipe recipe_for(const Model& former, const Recipe& asked) {
  Recipe recipe = *former.recipe;
  recipe.format = asked.format;
  recipe.columns = corpus::with_asked(recipe.columns, asked.columns);
  recipe.label_map = asked.label_map;
  recipe.label_map_file = asked.label_map_file;
  recipe.bias = former.features.find("") != kNone;
  recipe.min_count = 1;
  recipe.bins = 0;
  recipe.from_text = std::nullopt;  // reading finds out
  if (recipe.task && asked.task) {
    recipe.task->format = asked.task->format;
    recipe.task->columns = asked.task->columns;
  }
  return recipe;
}

// Tags, features and slots of the previous tag begin with those of the model.
Dataset read_tagged(const Model& former, const std::vector<DomainFile>& files,
                    const Recipe& recipe, ReadControl control) {
  Schema old;
  old.features = names_of(former.features);
  for (const std::string& label : former.labels) old.labels.add(label);
  control.vocabulary = &old;
  Dataset data = read_dataset(files, recipe, control);
  Recipe completed = *data.recipe;
  // A word that both know keeps its form in the new text.
  completed.mixed_forms.insert(former.recipe->mixed_forms.begin(),
                               former.recipe->mixed_forms.end());
  data.recipe = std::make_shared<Recipe>(std::move(completed));
  rename_domain(data, former);
  return data;
}

// Words of a text are split and normalised, those of feature lines are not. Only if the user
// named the format can we be sure that features are meant.
void refuse_features_for_text(const Model& former, const Dataset& data,
                              const Recipe& asked) {
  const bool differs = former.recipe->from_text == true && data.recipe->from_text == false;
  if (differs && asked.format == Format::guess) refuse_feature_lines();
}

}  // namespace

Dataset read_for_adapting(const Model& former, const std::vector<DomainFile>& files,
                          const Recipe& asked, const ReadControl& control) {
  const Recipe recipe = recipe_for(former, asked);
  if (recipe.task) return read_tagged(former, files, recipe, control);
  ReadControl as_read = control;
  as_read.needs_columns = false;
  as_read.needed_columns = corpus::asked_options(asked.columns);
  as_read.scale = false;  // the former model's scaling holds
  Dataset data = read_dataset(files, recipe, as_read);
  refuse_features_for_text(former, data, asked);
  rename_domain(data, former);
  rename_features(data, former);
  rename_labels(data, former);
  Recipe kept = *data.recipe;
  kept.min_count = former.recipe->min_count;
  kept.bins = former.recipe->bins;
  if (former.recipe->from_text) kept.from_text = former.recipe->from_text;
  data.recipe = std::make_shared<Recipe>(std::move(kept));
  return data;
}

}  // namespace megadapt
