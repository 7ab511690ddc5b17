// Classifiers of raw text: training from a file of rows, and prediction of texts by the
// model's own recipe, as on the command line.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "dataset/recipe_options.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "megadapt/systems.hpp"
#include "runner.hpp"
#include "training_rows.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

using Texts = std::vector<std::string>;

RecipeOptions recipe_options(const Settings& settings) {
  RecipeOptions options;
  for (const auto& [name, value] : settings) recipe_table().set(options, name, value);
  return options;
}

/// Reads a file as `megadapt train` does. The file is temporary, so no model records it.
Dataset read_rows(const std::string& path, const RecipeOptions& recipe,
                  const std::string& target, const std::string& unlabelled, int threads,
                  bool with_texts) {
  ReadControl control;
  if (with_texts) control.texts_of = "";
  Dataset data = read_dataset({{target, path}}, make_recipe(recipe, threads), control);
  data.sources.clear();
  if (!unlabelled.empty()) {
    const std::uint32_t id = data.domains().find(target);
    Dataset more = read_unlabelled({unlabelled}, data, id);
    more.sources.clear();
    data.unlabelled = std::make_shared<Dataset>(std::move(more));
  }
  return data;
}

/// Trains on a file that `megadapt train` can read.
std::shared_ptr<Model> fit_file(const std::string& path, const Settings& reading,
                                const std::string& system, const std::string& target,
                                const Settings& settings, std::uint64_t seed,
                                Settings recorded, const Members& members,
                                const std::string& unlabelled, int threads,
                                const py::object& progress) {
  Options options = options_for(system, settings, seed);
  options.members = to_members(members);
  const RecipeOptions recipe = recipe_options(reading);
  for (auto& option : recorded_recipe(recipe)) recorded.push_back(std::move(option));
  std::optional<Model> model;
  std::vector<Warning> odd;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    const Dataset data = read_rows(path, recipe, target, unlabelled, threads, false);
    if (const std::uint32_t id = data.domains().find(target); id != kNone) {
      odd = data_warnings(data, id);
    }
    FitContext context{.exec = exec};
    if (!progress.is_none()) context.on_progress = on_progress;
    model = train_model(data, system, target, options, std::move(recorded), context);
    exec.throw_if_stopped();
  });
  warn(odd, 3);
  return std::make_shared<Model>(std::move(*model));
}

/// Returns the training rows of a file, and the options for reading it, which a model
/// records.
py::tuple file_rows(const std::string& path, const Settings& reading,
                    const std::string& target, const std::string& unlabelled, int threads) {
  const RecipeOptions recipe = recipe_options(reading);
  return py::make_tuple(
      TrainingRows(read_rows(path, recipe, target, unlabelled, threads, true)),
      recorded_recipe(recipe));
}

TrainingRows file_test_rows(const std::string& path, const TrainingRows& train,
                            const std::string& target) {
  return TrainingRows(
      read_test_rows(path, *train.read, train.find_domain(target), {.texts_of = ""}));
}

void warn_of_unknown_domains(const Model& model, std::size_t rows, const std::string& first,
                             int level) {
  if (const auto unknown =
          unknown_domains_warning({rows, first}, Classifier::over(model))) {
    warn({*unknown}, level);
  }
}

/// `domains` has a name for each text, or none at all.
std::vector<Example> examples(const Texts& texts, const Texts& domains) {
  std::vector<Example> all(texts.size());
  for (std::size_t n = 0; n < texts.size(); ++n) {
    all[n].text = texts[n];
    if (!domains.empty()) all[n].domain = domains[n];
  }
  return all;
}

/// Returns p(label | text), [N][Y], and P(general | text), [N] or empty without a gate.
py::tuple predict_texts(const Model& model, const Texts& texts, const Texts& domains,
                        int threads) {
  const Classifier classifier = Classifier::over(model);
  std::vector<Prediction> found;
  run(threads, py::none(), [&](const Execution& exec, const OnProgress&) {
    found = classifier.predict(examples(texts, domains), exec);
  });
  const std::size_t Y = model.labels.size();
  py::array_t<double> probability(
      {static_cast<py::ssize_t>(found.size()), static_cast<py::ssize_t>(Y)});
  double* out = probability.mutable_data();
  std::vector<double> general;
  for (const Prediction& one : found) {
    out = std::copy(one.probabilities.begin(), one.probabilities.end(), out);
    if (one.general) general.push_back(*one.general);
  }
  return py::make_tuple(probability, general);
}

std::vector<std::string> explain_texts(const Model& model, const Texts& texts,
                                       const Texts& domains,
                                       std::optional<std::uint32_t> label,
                                       std::optional<std::uint32_t> against,
                                       std::optional<std::size_t> top) {
  const Classifier classifier = Classifier::over(model);
  std::vector<std::string> all;
  for (const Example& example : examples(texts, domains)) {
    Explanation explanation = classifier.explain(example, {label, against});
    if (top) keep_strongest(explanation, *top);
    all.push_back(to_json(explanation));
  }
  return all;
}

/// The options that say how input becomes rows, as one dict each.
py::list recipe_entries() {
  py::list all;
  for (const auto& option : recipe_table()) {
    py::dict entry;
    entry["name"] = option.name;
    entry["type"] = option.field.type;
    entry["choices"] = option.field.choices;
    entry["help"] = option.help;
    const std::vector<std::string> usual = option.field.print({});
    entry["default"] = usual.empty() ? py::object(py::none()) : py::cast(usual[0]);
    all.append(entry);
  }
  return all;
}

}  // namespace

void bind_texts(py::module_& module) {
  module.def("fit_file", &fit_file, py::arg("path"), py::kw_only(), py::arg("reading"),
             py::arg("system"), py::arg("target"), py::arg("settings"), py::arg("seed"),
             py::arg("recorded"), py::arg("members"), py::arg("unlabelled") = "",
             py::arg("threads"), py::arg("progress") = py::none());
  module.def("file_rows", &file_rows, py::arg("path"), py::kw_only(), py::arg("reading"),
             py::arg("target"), py::arg("unlabelled") = "", py::arg("threads"));
  module.def("file_test_rows", &file_test_rows, py::arg("path"), py::arg("train"),
             py::kw_only(), py::arg("target"));
  module.def("warn_of_unknown_domains", &warn_of_unknown_domains, py::arg("model"),
             py::kw_only(), py::arg("rows"), py::arg("first"), py::arg("level"));
  module.def("predict_texts", &predict_texts, py::arg("model"), py::arg("texts"),
             py::kw_only(), py::arg("domains"), py::arg("threads"));
  module.def("explain_texts", &explain_texts, py::arg("model"), py::arg("texts"),
             py::kw_only(), py::arg("domains"), py::arg("label"), py::arg("against"),
             py::arg("top"));
  module.def("recipe_options", &recipe_entries);
}

}  // namespace megadapt::python
