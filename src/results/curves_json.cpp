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

Json points_json(const std::vector<CurvePoint>& points) {
  Json list = Json::array();
  for (const CurvePoint& point : points) {
    Json& out = list.emplace_back();
    out["examples"] = point.examples;
    add_band(out, "", point.accuracy);
    add_band(out, "f1", point.f1);
    add_band(out, "log_loss", point.log_loss);
  }
  return list;
}

Json curve_json(const SystemCurve& curve) {
  if (!curve.left_out.empty()) return {{"name", curve.name}, {"left_out", curve.left_out}};
  return {{"name", curve.name}, {"points", points_json(curve.points)}};
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
              {"verdict", curves.verdict},
              {"evidence", curves.evidence}};
  for (const SystemCurve& curve : curves.systems) {
    out["curves"].push_back(curve_json(curve));
  }
  if (curves.enough) out["enough"] = *curves.enough;
  if (curves.worth) {
    out["source_worth"] = {{"labels", curves.worth->labels},
                           {"more_than", curves.worth->more_than},
                           {"interval", curves.worth->interval}};
  }
  if (curves.more) {
    out["more"] = {{"system", curves.more->system},
                   {"labels", curves.more->labels},
                   {"gain", curves.more->gain},
                   {"interval", curves.more->interval}};
  }
  return out;
}

Json strategies_json(const Strategies& strategies, const std::string& target) {
  Json out = {{"target", target},
              {"sizes", strategies.sizes},
              {"repeats", strategies.repeats},
              {"examples_tested", strategies.tested},
              {"strategies", Json::array()},
              {"verdict", strategies.verdict}};
  for (const StrategyCurve& curve : strategies.systems) {
    Json& own = out["strategies"].emplace_back();
    own["name"] = curve.system;
    if (!curve.left_out.empty()) {
      own["left_out"] = curve.left_out;
      continue;
    }
    own["random"] = points_json(curve.random);
    own["next"] = points_json(curve.next);
    own["labels"] = curve.labels;
    own["accuracy"] = curve.accuracy;
    own["share"] = curve.share;
    own["interval"] = curve.interval;
  }
  return out;
}

}  // namespace megadapt
