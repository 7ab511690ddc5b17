#include "inference/explanation_json.hpp"

#include "base/json.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

Json probabilities_json(const std::vector<std::string>& labels,
                        const std::vector<double>& probabilities) {
  Json json = Json::object();
  for (std::size_t y = 0; y < labels.size(); ++y) json[labels[y]] = probabilities[y];
  return json;
}

void add_terms(const LogOdds& sum, Json& json) {
  Json& terms = json["contributions"] = Json::array();
  for (const Contribution& term : sum.contributions) {
    terms.push_back({{"feature", term.feature},
                     {"value", term.value},
                     {"contribution", term.contribution}});
  }
  if (sum.omitted == 0) return;
  json["omitted"] = {{"features", sum.omitted}, {"contribution", sum.omitted_sum}};
}

Json gate_json(const LogOdds& gate, double general) {
  Json json{{"general", general}, {"log_odds", gate.total}, {"intercept", gate.intercept}};
  add_terms(gate, json);
  return json;
}

Json component_json(const ComponentExplanation& component,
                    const std::vector<std::string>& labels) {
  Json json{
      {"name", component.name}, {"kind", component.kind}, {"weight", component.weight}};
  if (component.temperature != 1) json["temperature"] = component.temperature;
  json["probabilities"] = probabilities_json(labels, component.probabilities);
  json["log_odds"] = component.log_odds.total;
  if (component.components.empty()) add_terms(component.log_odds, json);
  if (component.gate) {
    json["gate"] = gate_json(*component.gate, component.components[0].weight);
  }
  for (const ComponentExplanation& part : component.components) {
    json["components"].push_back(component_json(part, labels));
  }
  for (const ComponentExplanation& source : component.sources) {
    json["sources"].push_back(component_json(source, labels));
  }
  return json;
}

}  // namespace

Json explanation_json(const Explanation& explanation) {
  const ComponentExplanation& model = explanation.model;
  Json json{
      {"label", explanation.labels[explanation.label]},
      {"probability", explanation.probabilities[explanation.label]},
      {"probabilities", probabilities_json(explanation.labels, explanation.probabilities)}};
  if (explanation.general) json["general"] = *explanation.general;
  if (!explanation.previous.empty()) json["previous"] = explanation.previous;
  json["against"] = explanation.labels[explanation.against];
  json["domain"] = explanation.domain;
  json["unseen"] = explanation.unseen;
  json["model"] = component_json(model, explanation.labels);
  return json;
}

std::string to_json(const Explanation& explanation) {
  return json_text(explanation_json(explanation));
}

}  // namespace megadapt
