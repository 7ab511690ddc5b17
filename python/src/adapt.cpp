// adapt() and diff() of the package. Rows come as a file of JSON Lines, which the models
// read by their own recipes, as the command line does.
#include "megadapt/adapt.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "megadapt/diff.hpp"
#include "runner.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

py::dict to_dict(const AdaptScore& score) {
  py::dict entry;
  entry["left_out"] = score.left_out;
  entry["accuracy"] = score.held_out.accuracy;
  entry["log_loss"] = score.held_out.log_loss;
  entry["f1"] = score.held_out.f1;
  return entry;
}

py::tuple adapt_to(const Model& former, const std::string& path, const std::string& domain,
                   const std::string& system, const Settings& settings,
                   const Settings& recorded, std::uint64_t seed, int threads,
                   const py::object& progress) {
  TuneOptions tuning;
  fix_options(settings, tuning);
  AdaptOptions options{.system = system, .base = tuning.base, .fixed = tuning.fixed};
  options.base.seed = seed;
  std::optional<Adapted> next;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    if (!progress.is_none()) options.on_progress = on_progress;
    Model old = load_model(model_bytes(former), "the old model");
    Recipe asked{.format = Format::jsonl, .task = old.recipe->task};
    if (asked.task) {
      asked.task->format = SentenceFormat::jsonl;
      asked.task->columns = {};
    }
    Dataset rows = read_for_adapting(old, {{domain, path}}, asked);
    rows.sources.clear();  // a temporary file
    next = adapt_model(std::move(old), std::move(rows), options, exec);
    exec.throw_if_stopped();
  });
  next->model.info.options.insert(next->model.info.options.begin(), recorded.begin(),
                                  recorded.end());
  py::dict scores;
  for (const AdaptScore& score : next->scores) {
    scores[py::str(score.system)] = to_dict(score);
  }
  py::dict result;
  result["system"] = next->system;
  result["keep_old"] = next->keep_old();
  result["held_out"] = next->held_out;
  result["new_features"] = next->new_features;
  result["new_labels"] = next->new_labels;
  result["scores"] = scores;
  return py::make_tuple(std::make_shared<Model>(std::move(next->model)), result);
}

py::list to_list(const std::vector<FeatureChange>& features) {
  py::list all;
  for (const FeatureChange& feature : features) {
    all.append(
        py::dict(py::arg("name") = feature.name, py::arg("change") = feature.change));
  }
  return all;
}

py::list to_list(const std::vector<ChangedRow>& rows) {
  py::list all;
  for (const ChangedRow& row : rows) {
    py::dict entry;
    entry["row"] = row.row - 1;  // Python counts from 0
    if (!row.text.empty()) entry["text"] = row.text;
    entry["label"] = row.label;
    entry["before"] = row.before;
    entry["after"] = row.after;
    entry["p_before"] = row.p_before;
    entry["p_after"] = row.p_after;
    entry["features"] = to_list(row.features);
    all.append(entry);
  }
  return all;
}

py::dict diff_on(const Model& before, const Model& after, const std::string& path,
                 std::uint64_t seed) {
  DiffOptions options;
  options.open.format = "jsonl";
  options.seed = seed;
  const ModelDiff diff = [&] {
    const py::gil_scoped_release unlocked;
    return diff_models(before, after, path, options);
  }();
  py::dict result;
  result["rows"] = diff.rows;
  result["won"] = diff.won.size();
  result["lost"] = diff.lost.size();
  result["p"] = diff.test.p;
  result["accuracy"] = std::make_pair(diff.before.accuracy, diff.after.accuracy);
  result["log_loss"] = std::make_pair(diff.before.log_loss, diff.after.log_loss);
  result["features"] = to_list(diff.features);
  result["won_rows"] = to_list(diff.won);
  result["lost_rows"] = to_list(diff.lost);
  return result;
}

}  // namespace

void bind_adapt(py::module_& module) {
  module.def("adapt", &adapt_to, py::arg("model"), py::arg("path"), py::kw_only(),
             py::arg("domain"), py::arg("system"), py::arg("settings"), py::arg("recorded"),
             py::arg("seed"), py::arg("threads"), py::arg("progress") = py::none());
  module.def("diff", &diff_on, py::arg("before"), py::arg("after"), py::arg("path"),
             py::kw_only(), py::arg("seed"));
}

}  // namespace megadapt::python
