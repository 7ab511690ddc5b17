#include "megadapt/report.hpp"
#include "results/curves_json.hpp"
#include "results/origin.hpp"

namespace megadapt {

std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const LearningCurves& curves, const CurveOptions& options,
                          const ReportOptions& report, const Execution& exec) {
  using Json = nlohmann::ordered_json;
  Json json = curves_json(curves, std::string(train.domains().name(target)));
  add_origin(train, target, test, options.tuning.base.seed, report, exec, json);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace megadapt
