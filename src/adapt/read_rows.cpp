#include <fmt/format.h>

#include "dataset/learn_scaling.hpp"
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
  data.own_schema().labels = std::move(labels);
}

void rename_domain(Dataset& data, const Model& former) {
  const std::uint32_t own = data.domain[0];
  for (const std::uint32_t domain : data.domain) {
    if (domain == own) continue;
    throw UsageError(fmt::format("the rows belong to more than one domain, '{}' and '{}'",
                                 data.domains().name(own), data.domains().name(domain)),
                     "a model is adapted to one domain at a time");
  }
  NameIndex domains;
  for (const ModelInfo::Domain& domain : former.info.domains) domains.add(domain.name);
  const std::uint32_t id = domains.add(data.domains().name(own));
  data.domain.assign(data.domain.size(), id);
  data.own_schema().domains = std::move(domains);
}

}  // namespace

Dataset read_for_adapting(const Model& former, const std::vector<DomainFile>& files,
                          Recipe recipe, const ReadControl& control) {
  if (former.recipe->task) {
    throw UsageError(
        fmt::format("the model was trained for the task '{}'", former.recipe->task_name()),
        "only models of ready-made features can be adapted without their "
        "training data");
  }
  recipe.text = former.recipe->text;
  recipe.columns = former.recipe->columns;
  recipe.bias = former.features.find("") != kNone;
  ReadControl as_read = control;
  as_read.needs_columns = false;
  as_read.scale = false;  // the former model's scaling holds
  Dataset data = read_dataset(files, recipe, as_read);
  rename_domain(data, former);
  rename_features(data, former);
  rename_labels(data, former);
  return data;
}

}  // namespace megadapt
