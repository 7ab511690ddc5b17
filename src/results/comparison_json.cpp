#include "results/json.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

Json system_json(const SystemResult& system) {
  Json json{{"name", system.name},
            {"summary", find_system(system.name).traits().summary},
            {"accuracy", system.evaluation.accuracy},
            {"log_loss", system.evaluation.log_loss},
            {"f1", system.evaluation.f1},
            {"interval", system.evaluation.interval},
            {"error_reduction", system.error_reduction},
            {"tuned", tuned_json(system.tuned, system.options)},
            {"settings", options_json(find_system(system.name), system.options)},
            {"seconds", system.seconds},
            {"search",
             {{"source_share", system.source_share},
              {"passes", system.passes},
              {"cut_short", system.cut_short}}},
            {"unseen_labels", system.evaluation.unseen_labels},
            {"tried", trials_json(system.tried)}};
  if (!system.calibration.empty())
    json["calibration"] = calibration_json(system.calibration);
  if (const auto& gain = system.unlabelled) {
    json["unlabelled"] = {{"gamma", gain->weight},
                          {"k", gain->sharpen},
                          {"gain", gain->gain},
                          {"interval", gain->interval},
                          {"without",
                           {{"accuracy", gain->without.accuracy},
                            {"log_loss", gain->without.log_loss},
                            {"f1", gain->without.f1}}}};
  }
  if (const auto& interval = system.evaluation.span_interval) {
    json["span_interval"] = *interval;
  }
  if (system.permuted) {
    json["permuted"] = {{"accuracy", system.permuted->accuracy},
                        {"log_loss", system.permuted->log_loss},
                        {"f1", system.permuted->f1}};
  }
  return json;
}

Json plan_json(const WorkPlan& plan) {
  return {{"limit", *plan.limit},
          {"passes", plan.passes},
          {"budget", plan.budget},
          {"left_out", plan.left_out}};
}

}  // namespace

Json trials_json(const std::vector<Trial>& tried) {
  Json list = Json::array();
  for (const Trial& trial : tried) {
    list.push_back({{"settings", settings_json(trial.settings)},
                    {"score", trial.score},
                    {"log_loss", trial.log_loss},
                    {"accuracy", trial.accuracy},
                    {"f1", trial.f1},
                    {"seconds", trial.seconds}});
  }
  return list;
}

Json comparison_json(const Comparison& comparison) {
  Json systems = Json::array();
  Json best_settings;
  Json left_out = Json::array();
  for (const SystemResult& system : comparison.systems) {
    if (system.left_out.empty()) {
      systems.push_back(system_json(system));
      if (system.name == comparison.best) best_settings = systems.back()["settings"];
    } else {
      left_out.push_back({{"name", system.name}, {"reason", system.left_out}});
    }
  }
  Json pairs = Json::array();
  for (const PairResult& pair : comparison.pairs) {
    pairs.push_back({{"a", pair.a},
                     {"b", pair.b},
                     {"discordant", {pair.test.only_a, pair.test.only_b}},
                     {"exact", pair.test.exact},
                     {"p", pair.test.p},
                     {"p_holm", pair.p_holm},
                     {"difference", pair.difference},
                     {"interval", pair.interval}});
    if (pair.p_f1) pairs.back()["p_f1"] = *pair.p_f1;
  }
  Json json{{"systems", systems},
            {"pairs", pairs},
            {"best", comparison.best},
            {"best_settings", best_settings},
            {"rank", criterion_name(comparison.rank)},
            {"verdict", comparison.verdict},
            {"evidence", comparison.evidence},
            {"left_out", left_out},
            {"examples", comparison.examples},
            {"duplicates", comparison.duplicates},
            {"complete", comparison.complete}};
  if (comparison.plan && comparison.plan->limit) json["plan"] = plan_json(*comparison.plan);
  return json;
}

}  // namespace megadapt
