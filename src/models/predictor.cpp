
#include <fmt/format.h>

#include "corpus/text/word_classes.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

// The default for any predictor: predicts each extended row separately.
void Predictor::predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                                 Numbers probability) const {
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

ModelPart parts_of(const Model& model) {
  PartNames names{.labels = model.labels};
  for (const ModelInfo::Domain& domain : model.info.domains) {
    names.domains.push_back(domain.name);
    const bool is_source = domain.name != model.info.target && domain.examples > 0;
    if (is_source) names.sources.push_back(domain.name);
  }
  ModelPart whole = model.predictor->parts(names);
  whole.name = model.info.system;
  return whole;
}

std::optional<LinearModel> linear_model(const Model& model, std::uint32_t domain) {
  const ModelPart whole = parts_of(model);
  std::optional<LinearWeights> weights =
      whole.children.empty() ? whole.weights : std::nullopt;
  if (whole.has(PartRole::specific)) weights = whole.children.at(domain).weights;
  if (!weights) return std::nullopt;
  return LinearModel{*weights, whole.temperature};
}

std::string feature_name(const Model& model, const ModelPart& part, std::uint32_t feature) {
  const std::uint32_t known = part.predictor->num_features();
  if (feature >= known) return part.source_features[feature - known];
  const std::string_view name = model.features.name(feature);
  if (name.empty()) return "(bias)";
  const std::string words = class_words(model.recipe->classes(), name);
  return words.empty() ? std::string(name) : fmt::format("{}: {}", name, words);
}

}  // namespace megadapt
