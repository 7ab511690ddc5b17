#include "results/json.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// {a: {b: value(a, b)}}, without the diagonal.
template <class Value>
Json matrix_json(const Relatedness& how, Value value) {
  Json matrix = Json::object();
  for (std::uint32_t a = 0; a < how.domains.size(); ++a) {
    for (std::uint32_t b = 0; b < how.domains.size(); ++b) {
      if (a != b) matrix[how.domains[a].name][how.domains[b].name] = value(a, b);
    }
  }
  return matrix;
}

Json conflict_json(const std::optional<Conflict>& conflict) {
  if (!conflict) return nullptr;
  return {{"source_fails", conflict->source_fails},
          {"source_helps", conflict->source_helps},
          {"auc", optional_json(conflict->auc)},
          {"advice", conflict->advice}};
}

}  // namespace

Json relatedness_json(const Relatedness& how) {
  Json domains = Json::object();
  for (const DomainSummary& domain : how.domains) {
    domains[domain.name] = {{"examples", domain.examples},
                            {"features", domain.features},
                            {"general_share", optional_json(domain.general_share)},
                            {"mean_general", optional_json(domain.mean_general)}};
  }
  Json separators = Json::array();
  for (const DomainPair& pair : how.pairs) {
    const std::string& a = how.domains[pair.a].name;
    const std::string& b = how.domains[pair.b].name;
    Json features = Json::array();
    for (const SeparatingFeature& feature : pair.features) {
      features.push_back({{"feature", feature.name},
                          {"information", feature.information},
                          {"share", {{a, feature.share_a}, {b, feature.share_b}}}});
      if (feature.presence.empty()) continue;
      features.back()["psi"] = {{"general", feature.presence[0]},
                                {a, feature.presence[1]},
                                {b, feature.presence[2]}};
    }
    separators.push_back({{"a", a}, {"b", b}, {"features", features}});
  }
  return {
      {"domains", domains},
      {"smoothing", how.smoothing},
      {"kl", matrix_json(how, [&](auto a, auto b) { return how.kl(a, b); })},
      {"jensen_shannon",
       matrix_json(how, [&](auto a, auto b) { return how.pair(a, b).jensen_shannon; })},
      {"auc",
       matrix_json(how, [&](auto a, auto b) { return optional_json(how.pair(a, b).auc); })},
      {"conflict",
       matrix_json(how, [&](auto a, auto b) { return conflict_json(how.conflict(a, b)); })},
      {"separators", separators}};
}

}  // namespace megadapt
