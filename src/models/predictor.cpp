#include <algorithm>

#include "megadapt/models.hpp"

namespace megadapt {

// What every predictor can do: each extended row on its own.
void Predictor::predict_extended(RowView base, std::span<const RowView> extensions,
                                 std::uint32_t domain,
                                 std::span<double> probability) const {
  std::vector<std::uint32_t> features(base.features.begin(), base.features.end());
  std::vector<float> values(base.values.begin(), base.values.end());
  values.resize(features.size(), 1);
  for (const RowView& extension : extensions) {
    features.resize(base.features.size());
    values.resize(base.features.size());
    features.insert(features.end(), extension.features.begin(), extension.features.end());
    values.insert(values.end(), extension.values.begin(), extension.values.end());
    values.resize(features.size(), 1);
    predict({features, values}, domain, probability.first(num_labels()));
    probability = probability.subspan(num_labels());
  }
}

}  // namespace megadapt
