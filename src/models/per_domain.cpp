#include <fmt/format.h>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {

std::string expert_prefix(const std::string& prefix, std::size_t domain) {
  return fmt::format("{}domain{}/", prefix, domain);
}

PerDomainPredictor::PerDomainPredictor(std::vector<MaxentPredictor> experts)
    : experts_(std::move(experts)) {}

PerDomainPredictor::PerDomainPredictor(const SectionReader& in, const std::string& prefix) {
  for (std::size_t d = 0; in.has(expert_prefix(prefix, d) + "weights"); ++d) {
    experts_.emplace_back(in, expert_prefix(prefix, d));
    if (experts_[d].num_labels() != experts_[0].num_labels() ||
        experts_[d].num_features() != experts_[0].num_features()) {
      in.damaged(fmt::format("the experts under '{}' differ in size", prefix));
    }
  }
  if (experts_.empty()) in.damaged(fmt::format("there is no expert under '{}'", prefix));
}

void PerDomainPredictor::prefetch(Ids features, std::uint32_t domain) const {
  experts_[domain].prefetch(features, domain);
}

void PerDomainPredictor::predict(RowView row, std::uint32_t domain,
                                 Numbers probability) const {
  experts_[domain].predict(row, domain, probability);
}

void PerDomainPredictor::predict_extended(RowView base, Rows extensions,
                                          std::uint32_t domain, Numbers probability) const {
  experts_[domain].predict_extended(base, extensions, domain, probability);
}

ModelPart PerDomainPredictor::parts(const PartNames& names) const {
  ModelPart whole{.predictor = this};
  for (std::uint32_t d = 0; d < num_domains(); ++d) {
    ModelPart& own = whole.children.emplace_back(experts_[d].parts(names));
    own.name = names.domains[d];
    own.role = PartRole::specific;
    own.domain = d;
  }
  return whole;
}

void PerDomainPredictor::save(SectionWriter& out, const std::string& prefix) const {
  for (std::size_t d = 0; d < experts_.size(); ++d) {
    experts_[d].save(out, expert_prefix(prefix, d));
  }
}

}  // namespace megadapt
