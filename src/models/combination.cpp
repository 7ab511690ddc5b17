#include <fmt/format.h>

#include <algorithm>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/load_predictor.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

std::string member_prefix(const std::string& prefix, std::size_t m) {
  return fmt::format("{}member{}/", prefix, m);
}

}  // namespace

CombinationPredictor::CombinationPredictor(std::vector<PredictorPtr> members,
                                           std::vector<double> weights,
                                           std::vector<std::string> names)
    : members_(std::move(members)), weights_(std::move(weights)), names_(std::move(names)) {
  names_.resize(members_.size());
}

CombinationPredictor::CombinationPredictor(const SectionReader& in,
                                           const std::string& prefix) {
  const auto weights = in.f64(prefix + "weights");
  weights_.assign(weights.begin(), weights.end());
  if (weights_.empty()) in.damaged(fmt::format("section '{}weights' is empty", prefix));
  for (std::size_t m = 0; m < weights_.size(); ++m) {
    const std::string kind = in.text(member_prefix(prefix, m) + "kind");
    if (kind == "combination") in.damaged("a combination has a combination as a member");
    members_.push_back(load_predictor(kind, in, member_prefix(prefix, m)));
    const std::string name = member_prefix(prefix, m) + "name";
    names_.push_back(in.has(name) ? in.text(name) : "");
    if (members_[m]->num_labels() != members_[0]->num_labels() ||
        members_[m]->num_features() != members_[0]->num_features() || weights_[m] < 0) {
      in.damaged(fmt::format("the members under '{}' do not fit each other", prefix));
    }
  }
}

std::uint32_t CombinationPredictor::num_domains() const {
  std::uint32_t most = 0;
  for (const auto& member : members_) most = std::max(most, member->num_domains());
  return most;
}

void CombinationPredictor::prefetch(Ids features, std::uint32_t domain) const {
  for (const auto& member : members_) member->prefetch(features, domain);
}

void CombinationPredictor::predict(RowView row, std::uint32_t domain,
                                   Numbers probability) const {
  std::vector<double> own(probability.size());
  std::fill(probability.begin(), probability.end(), 0);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    members_[m]->predict(row, domain, own);
    for (std::size_t y = 0; y < own.size(); ++y) probability[y] += weights_[m] * own[y];
  }
}

void CombinationPredictor::predict_extended(RowView base, Rows extensions,
                                            std::uint32_t domain,
                                            Numbers probability) const {
  std::vector<double> own(probability.size());
  std::fill(probability.begin(), probability.end(), 0);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    members_[m]->predict_extended(base, extensions, domain, own);
    for (std::size_t i = 0; i < own.size(); ++i) probability[i] += weights_[m] * own[i];
  }
}

ModelPart CombinationPredictor::parts(const PartNames& names) const {
  ModelPart whole{.predictor = this};
  for (std::size_t m = 0; m < members_.size(); ++m) {
    ModelPart& member = whole.children.emplace_back(members_[m]->parts(names));
    member.name = names_[m].empty() ? fmt::format("member {}", m + 1) : names_[m];
    member.role = PartRole::member;
    member.share = weights_[m];
  }
  return whole;
}

void CombinationPredictor::save(SectionWriter& out, const std::string& prefix) const {
  out.add(prefix + "weights", std::span<const double>(weights_));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    out.add(member_prefix(prefix, m) + "kind", std::string(members_[m]->kind()));
    if (!names_[m].empty()) out.add(member_prefix(prefix, m) + "name", names_[m]);
    members_[m]->save(out, member_prefix(prefix, m));
  }
}

}  // namespace megadapt
