#include "decoding/decoding.hpp"
#include "decoding/tag_features.hpp"

namespace megadapt {

EncodedSentence::EncodedSentence(const Model& model, const TaskOptions& task)
    : model_(model), encoder_(task, model.features, model.labels) {}

void EncodedSentence::probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                                    std::span<double> probability) const {
  thread_local std::vector<std::span<const std::uint32_t>> templates;
  templates.clear();
  for (std::size_t k = 0; k < encoder_.num_tag_templates(); ++k) {
    templates.push_back(encoder_.tag_features(t, k));
  }
  predict_after(*model_.predictor, {encoder_.context(t), {}}, templates, domain_, previous,
                probability);
}

std::optional<double> EncodedSentence::general(std::size_t t) const {
  return model_.predictor->general({encoder_.context(t), {}}, domain_);
}

TokenRow EncodedSentence::row_after(std::size_t t, std::uint32_t previous) const {
  const auto context = encoder_.context(t);
  TokenRow row{{context.begin(), context.end()}, {}};
  for (std::size_t k = 0; k < encoder_.num_tag_templates(); ++k) {
    const std::uint32_t feature = feature_after(encoder_.tag_features(t, k), previous);
    if (feature != kNone) row.features.push_back(feature);
  }
  return row;
}

}  // namespace megadapt
