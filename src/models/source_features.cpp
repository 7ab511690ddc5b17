#include <fmt/format.h>

#include <algorithm>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/load_predictor.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

std::string source_prefix(const std::string& prefix, std::size_t s) {
  return fmt::format("{}source{}/", prefix, s);
}

// Skips features with ids of `limit` or more: these ids stand for the predictions of
// sources.
void append_known(RowView row, std::uint32_t limit, std::vector<std::uint32_t>& features,
                  std::vector<float>& values) {
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (row.features[i] >= limit) continue;
    features.push_back(row.features[i]);
    values.push_back(row.values.empty() ? 1 : row.values[i]);
  }
}

/// Appends the prediction `p` [Y] of one source as features from `first` on: an indicator
/// of its label, then Y probabilities.
void append_prediction(std::span<const double> p, SourceFeatures which, std::uint32_t first,
                       std::vector<std::uint32_t>& features, std::vector<float>& values) {
  const auto has = [which](SourceFeatures part) {
    return (static_cast<std::uint32_t>(which) & static_cast<std::uint32_t>(part)) != 0;
  };
  if (has(SourceFeatures::labels)) {
    const auto best = std::max_element(p.begin(), p.end()) - p.begin();
    features.push_back(first + static_cast<std::uint32_t>(best));
    values.push_back(1);
  }
  if (!has(SourceFeatures::probabilities)) return;
  const auto Y = static_cast<std::uint32_t>(p.size());
  for (std::uint32_t y = 0; y < Y; ++y) {
    features.push_back(first + Y + y);
    values.push_back(static_cast<float>(p[y]));
  }
}

}  // namespace

SourceFeaturesPredictor::SourceFeaturesPredictor(std::vector<PredictorPtr> sources,
                                                 SourceFeatures which,
                                                 MaxentPredictor model)
    : sources_(std::move(sources)), which_(which), model_(std::move(model)) {}

SourceFeaturesPredictor::SourceFeaturesPredictor(const SectionReader& in,
                                                 const std::string& prefix)
    : which_(SourceFeatures::both), model_(in, prefix + "model/") {
  const auto which = in.u32(prefix + "which");
  if (which.size() != 1 || which[0] < 1 || which[0] > 3) {
    in.damaged(fmt::format("section '{}which' is not a choice of features", prefix));
  }
  which_ = static_cast<SourceFeatures>(which[0]);
  for (std::size_t s = 0; in.has(source_prefix(prefix, s) + "kind"); ++s) {
    const std::string own = source_prefix(prefix, s);
    sources_.push_back(load_predictor(in.text(own + "kind"), in, own));
    if (sources_[s]->num_labels() != model_.num_labels() ||
        sources_[s]->num_domains() > 0 ||
        sources_[s]->num_features() != sources_[0]->num_features()) {
      in.damaged(fmt::format("the sources under '{}' do not fit each other", prefix));
    }
  }
  if (sources_.empty() ||
      model_.num_features() !=
          num_features() + 2 * std::size_t{model_.num_labels()} * sources_.size()) {
    in.damaged(fmt::format("the model under '{}' does not fit its sources", prefix));
  }
}

void SourceFeaturesPredictor::extend(std::span<const PredictorPtr> sources,
                                     SourceFeatures which, RowView row,
                                     std::vector<std::uint32_t>& features,
                                     std::vector<float>& values) {
  std::vector<double> p(sources[0]->num_labels());
  std::uint32_t first = sources[0]->num_features();
  for (const auto& source : sources) {
    source->predict(row, 0, p);
    append_prediction(p, which, first, features, values);
    first += 2 * static_cast<std::uint32_t>(p.size());
  }
}

RowView SourceFeaturesPredictor::seen(RowView row, std::vector<std::uint32_t>& features,
                                      std::vector<float>& values) const {
  append_known(row, num_features(), features, values);
  extend(sources_, which_, row, features, values);
  return {features, values};
}

void SourceFeaturesPredictor::predict(RowView row, std::uint32_t domain,
                                      Numbers probability) const {
  std::vector<std::uint32_t> features;
  std::vector<float> values;
  model_.predict(seen(row, features, values), domain, probability);
}

// A source's prediction depends on the extension, so it becomes part of the extension.
void SourceFeaturesPredictor::predict_extended(RowView base, Rows extensions,
                                               std::uint32_t domain,
                                               Numbers probability) const {
  std::vector<std::vector<std::uint32_t>> features(extensions.size() + 1);
  std::vector<std::vector<float>> values(extensions.size() + 1);
  std::vector<RowView> known(extensions.size() + 1);  // the base is the last
  for (std::size_t e = 0; e < known.size(); ++e) {
    append_known(e < extensions.size() ? extensions[e] : base, num_features(), features[e],
                 values[e]);
  }
  std::vector<double> p(probability.size());
  auto next = num_features();
  for (const auto& source : sources_) {
    source->predict_extended(base, extensions, 0, p);
    for (std::size_t e = 0; e < extensions.size(); ++e) {
      append_prediction(std::span(p).subspan(e * num_labels(), num_labels()), which_, next,
                        features[e], values[e]);
    }
    next += 2 * num_labels();
  }
  for (std::size_t e = 0; e < known.size(); ++e) known[e] = {features[e], values[e]};
  model_.predict_extended(known.back(), std::span(known).first(extensions.size()), domain,
                          probability);
}

ModelPart SourceFeaturesPredictor::parts(const PartNames& names) const {
  ModelPart whole = model_.parts(names);
  whole.predictor = this;
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    ModelPart& source = whole.children.emplace_back(sources_[s]->parts(names));
    source.role = PartRole::source;
    source.name = source.has(PartRole::former) ? "former"
                  : s < names.sources.size()   ? names.sources[s]
                                               : fmt::format("source {}", s + 1);
    const auto labels = names.labels.first(num_labels());
    for (const auto& label : labels) {
      whole.source_features.push_back(fmt::format("{} says {}", source.name, label));
    }
    for (const auto& label : labels) {
      whole.source_features.push_back(fmt::format("{} p({})", source.name, label));
    }
  }
  return whole;
}

void SourceFeaturesPredictor::save(SectionWriter& out, const std::string& prefix) const {
  const auto* which = reinterpret_cast<const std::uint32_t*>(&which_);
  out.add(prefix + "which", std::span(which, 1));
  model_.save(out, prefix + "model/");
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    out.add(source_prefix(prefix, s) + "kind", std::string(sources_[s]->kind()));
    sources_[s]->save(out, source_prefix(prefix, s));
  }
}

}  // namespace megadapt
