#include "dataset/select_rows.hpp"

namespace megadapt {

Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset chosen;
  chosen.features = data.features;
  chosen.labels = data.labels;
  chosen.domains = data.domains;
  chosen.groups = data.groups;
  chosen.binning = data.binning;
  chosen.sources = data.sources;
  for (const std::size_t n : rows) {
    const RowView row = data.rows[n];
    chosen.rows.feature.insert(chosen.rows.feature.end(), row.features.begin(),
                               row.features.end());
    chosen.rows.value.insert(chosen.rows.value.end(), row.values.begin(), row.values.end());
    chosen.rows.begin.push_back(chosen.rows.feature.size());
    chosen.label.push_back(data.label[n]);
    chosen.domain.push_back(data.domain[n]);
    chosen.weight.push_back(data.weight[n]);
    if (!data.group.empty()) chosen.group.push_back(data.group[n]);
  }
  return chosen;
}

}  // namespace megadapt
