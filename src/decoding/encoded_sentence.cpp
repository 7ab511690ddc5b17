#include "decoding/decoding.hpp"

namespace megadapt {

EncodedSentence::EncodedSentence(const Model& model)
    : model_(model), encoder_(model.recipe->task, model.features, model.labels) {}

void EncodedSentence::probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                                    std::span<double> probability) const {
  thread_local std::vector<std::span<const std::uint32_t>> templates;
  templates.clear();
  for (std::size_t k = 0; k < encoder_.num_tag_templates(); ++k) {
    templates.push_back(encoder_.tag_features(t, k));
  }
  predict_after(*model_.predictor, context(t), templates, domain_, previous, probability);
}

std::optional<double> EncodedSentence::general(std::size_t t) const {
  return model_.predictor->general(context(t), domain_);
}

TokenRow EncodedSentence::row_after(std::size_t t, std::uint32_t previous) const {
  const RowView words = context(t);
  TokenRow row{{words.features.begin(), words.features.end()},
               {words.values.begin(), words.values.end()}};
  for (std::size_t k = 0; k < encoder_.num_tag_templates(); ++k) {
    const std::uint32_t feature = feature_after(encoder_.tag_features(t, k), previous);
    if (feature == kNone) continue;
    row.features.push_back(feature);
    if (!row.values.empty()) row.values.push_back(1);
  }
  return row;
}

}  // namespace megadapt
