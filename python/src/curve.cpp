// Implements learning_curve() of the package.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "megadapt/comparison.hpp"
#include "megadapt/report.hpp"
#include "runner.hpp"
#include "training_rows.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

void add_band(py::dict& entry, const char* name, const Band& band) {
  entry[name] = band.mean;
  entry[py::str(fmt::format("{}_low", name))] = band.low;
  entry[py::str(fmt::format("{}_high", name))] = band.high;
}

py::dict to_dict(const LearningCurves& curves) {
  py::list points;
  py::dict left_out;
  for (const SystemCurve& system : curves.systems) {
    if (!system.left_out.empty()) left_out[py::str(system.name)] = system.left_out;
    for (const CurvePoint& point : system.points) {
      py::dict entry;
      entry["system"] = system.name;
      entry["examples"] = point.examples;
      add_band(entry, "accuracy", point.accuracy);
      add_band(entry, "f1", point.f1);
      add_band(entry, "log_loss", point.log_loss);
      points.append(entry);
    }
  }
  py::dict result;
  result["points"] = points;
  result["left_out"] = left_out;
  result["best"] = curves.best;
  result["enough"] = curves.enough;
  result["verdict"] = curves.verdict;
  result["evidence"] = curves.evidence;
  return result;
}

CurveTuning parse_tuning(const std::string& name) {
  if (name == "none") return CurveTuning::none;
  if (name == "once") return CurveTuning::once;
  if (name == "each") return CurveTuning::each;
  throw UsageError(fmt::format("tune: '{}' is unknown", name), "use none, once or each");
}

py::dict curves(const TrainingRows& training, const std::string& target,
                const TrainingRows* testing, const std::string& systems,
                const std::vector<std::size_t>& sizes, int repeats, int folds,
                const std::string& tune, const std::string& criterion, int tune_folds,
                std::optional<double> dev_fraction, const std::string& effort,
                const Settings& settings, std::uint64_t seed, int threads, bool report,
                const py::object& progress) {
  const Dataset train = training.dataset();
  std::optional<Dataset> test;
  if (testing) test = testing->dataset();
  CurveOptions options;
  if (!systems.empty()) options.systems = parse_systems(systems);
  options.sizes = sizes;
  options.repeats = repeats;
  options.folds = folds;
  options.tuning.folds = tune_folds;
  options.tuning.dev_fraction = dev_fraction;
  options.tuning.effort = parse_effort(effort);
  options.when_tuned = parse_tuning(tune);
  options.tuning.criterion = parse_criterion(criterion);
  fix_options(settings, options.tuning);
  options.tuning.base.seed = seed;
  LearningCurves found;
  std::string page;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    if (!progress.is_none()) options.on_progress = on_progress;
    found = learning_curves(train, training.find_domain(target), test ? &*test : nullptr,
                            options, exec);
    if (!report) return;
    page = render_report(report_result(train, training.find_domain(target),
                                       test ? &*test : nullptr, found, options, {}, exec),
                         "the result");
  });
  py::dict result = to_dict(found);
  result["page"] = page;
  return result;
}

}  // namespace

void bind_curve(py::module_& module) {
  module.def("learning_curve", &curves, py::arg("train"), py::kw_only(), py::arg("target"),
             py::arg("test") = nullptr, py::arg("systems"), py::arg("sizes"),
             py::arg("repeats"), py::arg("folds"), py::arg("tune"), py::arg("criterion"),
             py::arg("tune_folds"), py::arg("dev_fraction"), py::arg("effort"),
             py::arg("settings"), py::arg("seed"), py::arg("threads"), py::arg("report"),
             py::arg("progress") = py::none());
}

}  // namespace megadapt::python
