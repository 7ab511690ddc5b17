#include <algorithm>

#include "megadapt/dataset.hpp"

namespace megadapt {

void RowBuilder::add(RowView row) {
  if (!row.values.empty()) {
    rows_.value.resize(rows_.feature.size(), 1.0f);
    rows_.value.insert(rows_.value.end(), row.values.begin(), row.values.end());
  }
  rows_.feature.insert(rows_.feature.end(), row.features.begin(), row.features.end());
}

void RowBuilder::add_value(std::uint32_t feature, float value) {
  rows_.value.resize(rows_.feature.size(), 1.0f);
  rows_.feature.push_back(feature);
  rows_.value.push_back(value);
}

void RowBuilder::add_to_value(std::uint32_t feature, float value) {
  rows_.value.resize(rows_.feature.size(), 1.0f);
  const auto first =
      rows_.feature.begin() + static_cast<std::ptrdiff_t>(rows_.begin.back());
  const auto at = std::find(first, rows_.feature.end(), feature) - rows_.feature.begin();
  rows_.value[static_cast<std::size_t>(at)] += value;
}

void RowBuilder::end(const RowFacts& facts) {
  end();
  std::uint32_t label = facts.label;
  if (!facts.shares.empty()) {
    label = std::ranges::max_element(facts.shares, {}, &LabelShare::share)->label;
    // If one label has the whole share, store only the label. The fit then has the same
    // bits as with a certain label.
    if (facts.shares.size() > 1) data_->soft.add(data_->rows.size() - 1, facts.shares);
  }
  data_->label.push_back(label);
  data_->domain.push_back(facts.domain);
  data_->weight.push_back(facts.weight);
  if (facts.group == kNone && data_->group.empty()) return;
  data_->group.resize(data_->rows.size() - 1, kNone);
  data_->group.push_back(facts.group);
}

}  // namespace megadapt
