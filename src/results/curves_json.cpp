#include "results/json.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

void add_band(Json& point, const std::string& name, const Band& band) {
  // Accuracy has no prefix; the names of other scores do.
  const std::string prefix = name.empty() ? "" : name + "_";
  point[name.empty() ? "mean" : name] = band.mean;
  point[prefix + "low"] = band.low;
  point[prefix + "high"] = band.high;
}

Json curve_json(const SystemCurve& curve) {
  if (!curve.left_out.empty()) return {{"name", curve.name}, {"left_out", curve.left_out}};
  Json points = Json::array();
  for (const CurvePoint& point : curve.points) {
    Json& out = points.emplace_back();
    out["examples"] = point.examples;
    add_band(out, "", point.accuracy);
    add_band(out, "f1", point.f1);
    add_band(out, "log_loss", point.log_loss);
  }
  return {{"name", curve.name}, {"points", points}};
}

}  // namespace

Json curves_json(const LearningCurves& curves, const std::string& target) {
  Json out = {{"target", target},
              {"sizes", curves.sizes},
              {"repeats", curves.repeats},
              {"examples_tested", curves.tested},
              {"curves", Json::array()},
              {"best", curves.best},
              {"reference", curves.reference},
              {"enough", nullptr},
              {"stopped", curves.stopped},
              {"verdict", curves.verdict}};
  for (const SystemCurve& curve : curves.systems) {
    out["curves"].push_back(curve_json(curve));
  }
  if (curves.enough) out["enough"] = *curves.enough;
  return out;
}

}  // namespace megadapt
