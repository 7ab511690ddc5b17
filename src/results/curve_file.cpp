#include "results/curve_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/mapped_file.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

std::vector<CurvePoint> points_from(const Json& list) {
  std::vector<CurvePoint> points;
  for (const Json& point : list) {
    points.push_back(
        {.examples = point.at("examples").get<double>(),
         .accuracy = {point.at("mean").get<double>(), point.at("low").get<double>(),
                      point.at("high").get<double>()},
         .f1 = {},
         .log_loss = {}});
  }
  return points;
}

// Returns the entry of this name that ran, or null.
const Json* find_run(const Json& list, const std::string& name) {
  for (const Json& entry : list) {
    if (entry.at("name") == name && !entry.contains("left_out")) return &entry;
  }
  return nullptr;
}

const Json* chosen_run(const Json& table, const Json& list, const std::string& system) {
  if (const Json* own = find_run(list, system)) return own;
  if (table.contains("best")) return find_run(list, table["best"].get<std::string>());
  for (const Json& entry : list) {
    if (!entry.contains("left_out")) return &entry;
  }
  return nullptr;
}

StoredCurve curve_from(const Json& table, const std::string& system) {
  StoredCurve stored;
  stored.repeats = table.at("repeats").get<int>();
  const bool simulated = table.contains("strategies");
  const Json* run =
      chosen_run(table, table.at(simulated ? "strategies" : "curves"), system);
  if (!run) return stored;
  stored.curve.name = run->at("name").get<std::string>();
  stored.curve.points = points_from(run->at(simulated ? "random" : "points"));
  if (simulated) stored.share = run->at("share").get<double>();
  return stored;
}

}  // namespace

StoredCurve read_curve(const std::string& path, const std::string& system) {
  const MappedFile file(path);
  try {
    return curve_from(parse_json<Json>(file.text()), system);
  } catch (const nlohmann::json::exception&) {
    throw InputError({path}, "this is not a learning curve",
                     "give the file that 'megadapt curve --json' printed");
  }
}

}  // namespace megadapt
