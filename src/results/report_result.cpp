#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/json.hpp"
#include "base/random.hpp"
#include "megadapt/report.hpp"
#include "results/inside.hpp"
#include "results/json.hpp"
#include "results/origin.hpp"
#include "results/reliability.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

// Returns the indices of the rows that the page lists, ascending.
std::vector<std::size_t> choose_rows(std::size_t rows, std::size_t most,
                                     std::uint64_t seed) {
  std::vector<std::size_t> chosen(rows);
  std::iota(chosen.begin(), chosen.end(), 0);
  if (rows <= most) return chosen;
  Random random(seed);
  for (std::size_t i = 0; i < most; ++i) {
    std::swap(chosen[i], chosen[i + random.below(static_cast<std::uint32_t>(rows - i))]);
  }
  chosen.resize(most);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

void add_system_details(const Comparison& comparison, const TestedRows& tested,
                        std::uint32_t num_labels, Json& systems) {
  std::size_t place = 0;  // systems that were left out are listed elsewhere
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty()) continue;
    Json& json = systems[place++];
    json["confusion"] = system.evaluation.confusion;
    json["reliability"] = reliability_json(system.predictions, tested, num_labels);
  }
}

const Predictions& predictions_of(const Comparison& comparison, const std::string& name) {
  return std::ranges::find(comparison.systems, name, &SystemResult::name)->predictions;
}

}  // namespace

std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const Comparison& comparison, const CompareOptions& options,
                          const ReportOptions& report, const Execution& exec) {
  const std::uint64_t seed = options.tuning.base.seed;
  const TestedRows tested = tested_rows(train, target, test, options);
  const auto chosen = choose_rows(tested.rows.size(), report.max_rows, seed);
  Inside inside = look_inside(train, target, tested, comparison, chosen, exec);

  Json json = comparison_json(comparison);
  add_system_details(comparison, tested, train.num_labels(), json["systems"]);
  if (!inside.general.empty()) {
    json["gate"] = {
        {"system", inside.gated},
        {"bins",
         gate_bins_json(inside.general, predictions_of(comparison, inside.gated), tested)}};
    if (inside.share) json["gate"]["share"] = *inside.share;
  }
  if (!inside.trace.empty()) {
    json["trace"] = {{"system", inside.gated}, {"steps", std::move(inside.trace)}};
  }
  json["rows"] = row_browser_json(train, tested, comparison, inside, chosen, report.texts);
  if (chosen.size() < tested.rows.size()) {
    json["rows"]["note"] = fmt::format(
        "{} of {} test rows are listed, drawn at random; every figure counts all of them.",
        chosen.size(), tested.rows.size());
  }
  add_origin(train, target, test, seed, report, exec, json);
  return json_text(json);
}

std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const LearningCurves& curves, const CurveOptions& options,
                          const ReportOptions& report, const Execution& exec) {
  Json json = curves_json(curves, std::string(train.domains().name(target)));
  add_origin(train, target, test, options.tuning.base.seed, report, exec, json);
  return json_text(json);
}

}  // namespace megadapt
