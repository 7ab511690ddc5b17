#include "cli/streaming/row_predictor.hpp"

namespace megadapt::cli {

RowPredictor::RowPredictor(const Model& model, std::uint32_t fallback)
    : model_(model),
      fallback_(fallback),
      encoder_(model.features, &model.binning),
      probability_(model.labels.size()) {}

std::span<const double> RowPredictor::predict(const Row& row) {
  domain_ = domain_of(row.domain);
  view_ = encoder_.encode(
      row, [&](auto features) { model_.predictor->prefetch(features, domain_); });
  model_.predictor->predict(view_, domain_, probability_);
  return probability_;
}

std::uint32_t RowPredictor::domain_of(std::string_view name) const {
  if (name.empty()) return fallback_;
  const auto& domains = model_.info.domains;
  for (std::uint32_t id = 0; id < domains.size(); ++id) {
    if (domains[id].name == name) return id;
  }
  return fallback_;
}

std::uint32_t fallback_domain(const Model& model, const std::string& as_domain) {
  return as_domain.empty() ? model.target() : model.domain(as_domain);
}

bool has_gate(const Model& model) {
  return model.predictor->general({}, model.target()).has_value();
}

}  // namespace megadapt::cli
