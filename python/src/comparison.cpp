// Implements compare() of the package.
#include "megadapt/comparison.hpp"

#include <pybind11/stl.h>

#include "base/option_table.hpp"
#include "bindings.hpp"
#include "megadapt/report.hpp"
#include "results/json.hpp"
#include "runner.hpp"
#include "training_rows.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

py::dict to_dict(const SystemResult& system) {
  py::dict entry;
  entry["system"] = system.name;
  entry["left_out"] = system.left_out;
  if (!system.left_out.empty()) return entry;
  entry["accuracy"] = system.evaluation.accuracy;
  entry["low"] = system.evaluation.interval[0];
  entry["high"] = system.evaluation.interval[1];
  entry["log_loss"] = system.evaluation.log_loss;
  entry["f1"] = system.evaluation.f1;
  entry["tuned"] = system.tuned;
  entry["members"] = from_members(system.options.members);
  entry["calibration"] = system.options.calibration;
  entry["unlabelled_weight"] = system.options.unlabelled_weight;
  entry["sharpen"] = system.options.sharpen;
  if (system.unlabelled) entry["unlabelled_gain"] = system.unlabelled->gain;
  entry["seconds"] = system.seconds;
  return entry;
}

py::dict to_dict(const PairResult& pair) {
  py::dict entry;
  entry["a"] = pair.a;
  entry["b"] = pair.b;
  entry["only_a"] = pair.test.only_a;
  entry["only_b"] = pair.test.only_b;
  entry["p"] = pair.test.p;
  entry["p_holm"] = pair.p_holm;
  entry["difference"] = pair.difference;
  entry["low"] = pair.interval[0];
  entry["high"] = pair.interval[1];
  return entry;
}

py::dict to_dict(const Comparison& comparison) {
  py::list systems, pairs;
  for (const SystemResult& system : comparison.systems) systems.append(to_dict(system));
  for (const PairResult& pair : comparison.pairs) pairs.append(to_dict(pair));
  py::dict result;
  result["systems"] = systems;
  result["pairs"] = pairs;
  result["best"] = comparison.best;
  result["verdict"] = comparison.verdict;
  result["evidence"] = comparison.evidence;
  if (comparison.plan && comparison.plan->limit) {
    py::dict plan;
    plan["limit"] = *comparison.plan->limit;
    plan["passes"] = comparison.plan->passes;
    plan["budget"] = comparison.plan->budget;
    plan["left_out"] = comparison.plan->left_out;
    result["plan"] = plan;
  }
  result["examples"] = comparison.examples;
  result["duplicates"] = comparison.duplicates;
  return result;
}

py::dict compare_systems(const TrainingRows& training, const std::string& target,
                         const TrainingRows* testing, const std::string& systems, bool tune,
                         const std::string& criterion, const std::string& rank, int folds,
                         int tune_folds, std::optional<double> dev_fraction,
                         const std::string& effort, const std::string& time,
                         std::optional<double> passes, bool calibrate,
                         const Settings& settings, std::uint64_t seed, int threads,
                         bool report, const std::string& output, const std::string& keep,
                         const Settings& recorded, const py::object& progress) {
  const KeptModels kept{output, keep, recorded};
  prepare_to_keep(kept);
  const Dataset train = training.dataset();
  std::optional<Dataset> test;
  if (testing) test = testing->dataset();
  warn(data_warnings(train, training.find_domain(target)), 3);
  CompareOptions options;
  options.systems = parse_systems(systems);
  options.tune = tune;
  options.tuning.criterion = parse_criterion(criterion);
  options.rank = parse_criterion(rank);
  options.folds = folds;
  options.tuning.folds = tune_folds;
  options.tuning.dev_fraction = dev_fraction;
  options.tuning.effort = parse_effort(effort);
  if (!time.empty()) options.seconds = parse_duration("time", time);
  options.passes = passes;
  options.tuning.calibrate = calibrate;
  fix_options(settings, options.tuning);
  options.tuning.base.seed = seed;
  Comparison comparison;
  std::string page;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    if (!progress.is_none()) options.on_progress = on_progress;
    const std::uint32_t domain = training.find_domain(target);
    const Dataset* test_rows = test ? &*test : nullptr;
    comparison = compare(train, domain, test_rows, options, exec);
    exec.throw_if_stopped();
    keep_models(train, domain, comparison, options, kept, exec);
    if (!report) return;
    page = render_report(report_result(train, domain, test_rows, comparison, options,
                                       {.texts = test ? test->text : train.text}, exec),
                         "the result");
  });
  py::dict result = to_dict(comparison);
  result["page"] = page;
  return result;
}

py::dict tune_system(const TrainingRows& training, const std::string& target,
                     const std::string& system, const std::string& criterion, int folds,
                     std::optional<double> dev_fraction, const std::string& effort,
                     bool calibrate, const Settings& settings, std::uint64_t seed,
                     int threads, const py::object& progress) {
  const Dataset train = training.dataset();
  warn(data_warnings(train, training.find_domain(target)), 3);
  TuneOptions options;
  options.criterion = parse_criterion(criterion);
  options.folds = folds;
  options.dev_fraction = dev_fraction;
  options.effort = parse_effort(effort);
  options.calibrate = calibrate;
  fix_options(settings, options);
  options.base.seed = seed;
  Tuned tuned;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    if (!progress.is_none()) options.on_progress = on_progress;
    tuned = tune(train, system, training.find_domain(target), options, exec);
    exec.throw_if_stopped();
  });
  py::dict result;
  result["tuned"] = tuned.settings;
  result["members"] = from_members(tuned.options.members);
  result["calibration"] = tuned.options.calibration;
  result["unlabelled_weight"] = tuned.options.unlabelled_weight;
  result["sharpen"] = tuned.options.sharpen;
  result["tried"] = trials_json(tuned.tried).dump();
  result["held_out"] = tuned.held_out;
  return result;
}

std::string relate_domains(const TrainingRows& training, const RelateOptions& given,
                           int threads, const py::object& progress) {
  const Dataset data = training.dataset();
  RelateOptions options = given;
  Relatedness how;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    if (!progress.is_none()) options.on_progress = on_progress;
    how = relate(data, options, exec);
    exec.throw_if_stopped();
  });
  return relatedness_json(how).dump();
}

}  // namespace

void bind_comparison(py::module_& module) {
  module.def("tune", &tune_system, py::arg("train"), py::kw_only(), py::arg("target"),
             py::arg("system"), py::arg("criterion"), py::arg("folds"),
             py::arg("dev_fraction"), py::arg("effort"), py::arg("calibrate"),
             py::arg("settings"), py::arg("seed"), py::arg("threads"),
             py::arg("progress") = py::none());
  module.def(
      "relate",
      [](const TrainingRows& data, double smoothing, int folds, double variance, int rounds,
         std::size_t top, std::uint64_t seed, int threads, const py::object& progress) {
        return relate_domains(data,
                              {.smoothing = smoothing,
                               .folds = folds,
                               .variance = variance,
                               .rounds = rounds,
                               .top = top,
                               .seed = seed},
                              threads, progress);
      },
      py::arg("data"), py::kw_only(), py::arg("smoothing"), py::arg("folds"),
      py::arg("variance"), py::arg("rounds"), py::arg("top"), py::arg("seed"),
      py::arg("threads"), py::arg("progress") = py::none());
  module.def("compare", &compare_systems, py::arg("train"), py::kw_only(),
             py::arg("target"), py::arg("test") = nullptr, py::arg("systems"),
             py::arg("tune"), py::arg("criterion"), py::arg("rank"), py::arg("folds"),
             py::arg("tune_folds"), py::arg("dev_fraction"), py::arg("effort"),
             py::arg("time"), py::arg("passes"), py::arg("calibrate"), py::arg("settings"),
             py::arg("seed"), py::arg("threads"), py::arg("report"), py::arg("output"),
             py::arg("keep"), py::arg("recorded"), py::arg("progress") = py::none());
}

}  // namespace megadapt::python
