#include "training_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "megadapt/error.hpp"

namespace megadapt::python {
namespace {

// Columns without names get the names that scikit-learn gives the columns of an array. The
// bias has the empty name and comes first, as in rows that were read from files.
NameIndex column_names(std::uint32_t columns, const std::vector<std::string>& given,
                       bool bias) {
  NameIndex names;
  if (bias) names.add("");
  for (std::uint32_t f = 0; f < columns; ++f) {
    const std::string name = given.empty() ? fmt::format("x{}", f) : given.at(f);
    if (name.empty() || names.add(name) != f + (bias ? 1 : 0)) {
      throw UsageError(
          fmt::format("the name '{}' of column {} is empty or used twice", name, f),
          "give every column a name of its own");
    }
  }
  return names;
}

}  // namespace

Dataset TrainingRows::dataset() const {
  if (read) return *read;
  Dataset data;
  data.recipe = std::make_shared<Recipe>(Recipe{.bias = bias, .from_text = false});
  data.own_schema().features = column_names(x.num_features, names, bias);
  data.rows = x.rows(bias ? 0 : kNone);
  data.label = to_vector(label);
  data.domain = to_vector(domain);
  data.weight = to_vector(weight);
  for (const std::string& name : labels) data.own_schema().labels.add(name);
  for (const std::string& name : domains) data.own_schema().domains.add(name);
  if (!group.is_none()) {
    data.group = to_vector(group.cast<Ids>());
    const std::uint32_t last = *std::max_element(data.group.begin(), data.group.end());
    for (std::uint32_t g = 0; g <= last; ++g) data.own_groups().add(fmt::to_string(g));
  }
  if (unlabelled) {
    Dataset more;
    more.schema = data.schema;
    more.recipe = data.recipe;
    more.rows = unlabelled->rows(bias ? 0 : kNone);
    more.label.assign(more.rows.size(), kNone);
    more.domain.assign(more.rows.size(), 0);  // a fit counts all of them as target rows
    more.weight.assign(more.rows.size(), 1);
    data.unlabelled = std::make_shared<Dataset>(std::move(more));
  }
  return data;
}

std::uint32_t TrainingRows::find_domain(const std::string& target) const {
  const auto found = std::find(domains.begin(), domains.end(), target);
  if (found != domains.end()) return static_cast<std::uint32_t>(found - domains.begin());
  throw UsageError(fmt::format("the target '{}' is not one of the domains", target),
                   fmt::format("the domains are {}", fmt::join(domains, ", ")));
}

}  // namespace megadapt::python
