#include <fmt/format.h>

#include <algorithm>

#include "base/log_space.hpp"
#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

// A share held at 0 or 1 has infinite log-odds; a file holds finite numbers only.
constexpr double kMostLogOdds = 1e30;

void mix(double share, std::span<const double> specific, std::span<double> general) {
  for (std::size_t i = 0; i < general.size(); ++i) {
    general[i] = share * general[i] + (1 - share) * specific[i];
  }
}

}  // namespace

MixturePredictor::MixturePredictor(std::uint32_t num_labels, const Mixture& mixture)
    : general_(num_labels, mixture.general.weights),
      general_share_(mixture.general_share),
      mean_general_(mixture.mean_general),
      owned_gate_(mixture.gate.weights.begin(), mixture.gate.weights.end()),
      gate_weights_(owned_gate_) {
  for (const Component& component : mixture.domain) {
    domain_.emplace_back(num_labels, component.weights);
  }
  for (const double intercept : mixture.gate.intercept) {
    gate_intercept_.push_back(std::clamp(intercept, -kMostLogOdds, kMostLogOdds));
  }
  if (!mixture.has_presence) return;
  for (std::size_t f = 0; f < mixture.general.presence.size(); ++f) {
    owned_presence_.push_back(static_cast<float>(mixture.general.presence[f]));
    for (const Component& own : mixture.domain) {
      owned_presence_.push_back(static_cast<float>(own.presence[f]));
    }
  }
  presence_ = owned_presence_;
}

MixturePredictor::MixturePredictor(const SectionReader& in, const std::string& prefix)
    : general_(in, prefix + "general/") {
  const auto intercept = in.f64(prefix + "gate/intercept");
  gate_intercept_.assign(intercept.begin(), intercept.end());
  gate_weights_ = in.f32(prefix + "gate/weights");
  const auto share = in.f64(prefix + "general_share");
  general_share_.assign(share.begin(), share.end());
  for (std::size_t d = 0; d < gate_intercept_.size(); ++d) {
    domain_.emplace_back(in, expert_prefix(prefix, d));
    if (domain_[d].num_labels() != general_.num_labels() ||
        domain_[d].num_features() != general_.num_features()) {
      in.damaged(fmt::format("the experts under '{}' differ in size", prefix));
    }
  }
  if (domain_.empty() || general_share_.size() != domain_.size() ||
      gate_weights_.size() != std::size_t{general_.num_features()} * domain_.size()) {
    in.damaged(fmt::format("the gate under '{}' does not fit the experts", prefix));
  }
  read_description(in, prefix);
}

// Reads the sections that describe the gate but are not needed to predict. Older files lack
// them.
void MixturePredictor::read_description(const SectionReader& in,
                                        const std::string& prefix) {
  const std::size_t K = domain_.size();
  if (in.has(prefix + "mean_general")) {
    const auto mean = in.f64(prefix + "mean_general");
    mean_general_.assign(mean.begin(), mean.end());
    if (mean.size() != K) {
      in.damaged(fmt::format("'{}mean_general' does not fit the domains", prefix));
    }
  }
  if (in.has(prefix + "gate/presence")) {
    presence_ = in.f32(prefix + "gate/presence");
    if (presence_.size() != std::size_t{general_.num_features()} * (K + 1)) {
      in.damaged(fmt::format("'{}gate/presence' does not fit the experts", prefix));
    }
  }
}

ModelPart MixturePredictor::parts(const PartNames& names) const {
  ModelPart whole{.predictor = this};
  ModelPart& general = whole.children.emplace_back(general_.parts(names));
  general.name = "general";
  general.role = PartRole::general;
  for (std::uint32_t d = 0; d < num_domains(); ++d) {
    ModelPart& own = whole.children.emplace_back(domain_[d].parts(names));
    own.name = names.domains[d];
    own.role = PartRole::specific;
    own.domain = d;
    own.gate =
        GateWeights{gate_intercept_[d], gate_weights_, num_domains(), d, presence_, {}};
    if (!mean_general_.empty()) own.gate->mean_general = mean_general_[d];
  }
  return whole;
}

void MixturePredictor::save(SectionWriter& out, const std::string& prefix) const {
  general_.save(out, prefix + "general/");
  for (std::size_t d = 0; d < domain_.size(); ++d) {
    domain_[d].save(out, expert_prefix(prefix, d));
  }
  out.add(prefix + "general_share", std::span<const double>(general_share_));
  out.add(prefix + "gate/intercept", std::span<const double>(gate_intercept_));
  out.add(prefix + "gate/weights", gate_weights_, num_domains());
  if (!presence_.empty()) out.add(prefix + "gate/presence", presence_, num_domains() + 1);
  if (!mean_general_.empty()) {
    out.add(prefix + "mean_general", std::span<const double>(mean_general_));
  }
}

std::optional<double> MixturePredictor::general(RowView row, std::uint32_t domain) const {
  double log_odds = gate_intercept_[domain];
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    const bool present = row.values.empty() || row.values[i] > 0;
    if (present && row.features[i] < general_.num_features()) {
      log_odds += static_cast<double>(gate_weight(row.features[i], domain));
    }
  }
  return sigmoid(log_odds);
}

void MixturePredictor::prefetch(Ids features, std::uint32_t domain) const {
  general_.prefetch(features, domain);
  domain_[domain].prefetch(features, domain);
}

void MixturePredictor::predict(RowView row, std::uint32_t domain,
                               Numbers probability) const {
  const double share = *general(row, domain);
  thread_local std::vector<double> specific;
  specific.resize(probability.size());
  general_.predict(row, domain, probability);
  domain_[domain].predict(row, domain, specific);
  mix(share, specific, probability);
}

void MixturePredictor::predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                                        Numbers probability) const {
  const double share = *general(base, domain);
  thread_local std::vector<double> specific;
  specific.resize(probability.size());
  general_.predict_extended(base, extensions, domain, probability);
  domain_[domain].predict_extended(base, extensions, domain, specific);
  mix(share, specific, probability);
}

}  // namespace megadapt
