#include "dataset/select_rows.hpp"

#include "dataset/row_runs.hpp"

namespace megadapt {
namespace {

// Consecutive rows of one sentence stay together.
void select_sequences(const Dataset& data, RowIds rows, Dataset& chosen) {
  std::vector<bool> starts(data.num_examples());
  for (std::size_t s = 0; s + 1 < data.sentence_begin.size(); ++s) {
    starts[data.sentence_begin[s]] = true;
  }
  const std::size_t templates = data.tag_slots.templates;
  chosen.tag_slots.templates = data.tag_slots.templates;
  chosen.tag_slots.feature = data.tag_slots.feature;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || starts[rows[i]] || rows[i] != rows[i - 1] + 1) {
      chosen.sentence_begin.push_back(i);
    }
    const auto slot =
        data.tag_slots.slot.begin() + static_cast<std::ptrdiff_t>(rows[i] * templates);
    chosen.tag_slots.slot.insert(chosen.tag_slots.slot.end(), slot,
                                 slot + static_cast<std::ptrdiff_t>(templates));
  }
  chosen.sentence_begin.push_back(rows.size());
}

}  // namespace

Dataset select_rows(const Dataset& data, RowIds rows) {
  Dataset chosen;
  chosen.schema = data.schema;
  chosen.recipe = data.recipe;
  chosen.group_names = data.group_names;
  chosen.extra_labels = data.extra_labels;
  chosen.sources = data.sources;
  chosen.unlabelled = data.unlabelled;
  RowBuilder builder(chosen);
  for (const std::size_t n : rows) {
    builder.add(data.rows[n]);
    builder.end({.label = data.label[n],
                 .shares = data.soft.of(n),
                 .domain = data.domain[n],
                 .weight = data.weight[n],
                 .group = data.group.empty() ? kNone : data.group[n]});
  }
  if (data.is_sequences()) select_sequences(data, rows, chosen);
  if (!data.runs.empty()) {
    const std::vector<std::uint64_t> all = places_of(data);
    std::vector<std::uint64_t> places;
    for (const std::size_t n : rows) places.push_back(all[n]);
    chosen.runs = runs_of(places);
  }
  return chosen;
}

}  // namespace megadapt
