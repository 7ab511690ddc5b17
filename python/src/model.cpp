// Training, prediction and model files for the classifiers.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "corpus/text/feature_maker.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "runner.hpp"
#include "systems/options.hpp"
#include "training_rows.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

using Ids = TrainingRows::Ids;
using Floats = TrainingRows::Floats;

// With fewer rows than this, starting a thread costs more than it gains.
constexpr std::size_t kManyRows = 20000;
constexpr std::size_t kRowsPerChunk = 1024;

/// A summary of all fits: passes add up, and the last fit gives the model.
struct FitSummary {
  double objective = 0;
  double gap = 0;
  int passes = 0;
  bool converged = true;
};

py::tuple fit(const TrainingRows& training, const std::string& system,
              const std::string& target, const Settings& settings, std::uint64_t seed,
              Settings recorded, const Members& members, int threads,
              const py::object& progress) {
  Options options = options_for(system, settings, seed);
  options.members = to_members(members);
  FitSummary summary;
  Dataset data = training.dataset();
  if (const std::uint32_t id = data.domains().find(target); id != kNone) {
    warn(data_warnings(data, id), 4);
  }
  std::optional<Model> model;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    FitContext context{.exec = exec};
    if (!progress.is_none()) context.on_progress = on_progress;
    context.on_fit = [&](const MaxentFit& fit) {
      summary.objective = fit.objective;
      summary.gap = fit.gap;
      summary.passes += fit.passes;
      summary.converged &= fit.converged;
    };
    model = train_model(data, system, target, options, std::move(recorded), context);
    exec.throw_if_stopped();
  });
  py::dict figures;
  figures["objective"] = summary.objective;
  figures["gap"] = summary.gap;
  figures["passes"] = summary.passes;
  figures["converged"] = summary.converged;
  return py::make_tuple(std::make_shared<Model>(std::move(*model)), figures);
}

// Adds which systems read the option, and their own defaults.
void add_readers(const std::string& name, py::dict& entry) {
  py::list readers;
  py::dict defaults;
  for (const System* system : systems()) {
    for (const std::string& read : system->traits().reads) {
      if (read != name) continue;
      readers.append(system->name());
      break;
    }
    for (const auto& [option, value] : system->traits().defaults) {
      if (option == name) defaults[py::str(system->name())] = value;
    }
  }
  entry["systems"] = readers;
  entry["system_defaults"] = defaults;
}

py::list options() {
  py::list all;
  for (const auto& option : option_table()) {
    std::string keyword = option.name;
    std::replace(keyword.begin(), keyword.end(), '-', '_');
    const std::vector<std::string> usual = option.field.print({});
    py::dict entry;
    entry["name"] = option.name;
    entry["keyword"] = keyword;
    entry["type"] = option.field.type;
    entry["accepts"] = option.field.accepts;
    entry["choices"] = option.field.choices;
    entry["default"] = usual.empty() ? py::object(py::none()) : py::cast(usual[0]);
    entry["repeats"] = option.field.repeats;
    entry["help"] = option.help;
    entry["group"] = option.group;
    add_readers(option.name, entry);
    all.append(entry);
  }
  return all;
}

/// Converts rows of columns to rows of the model's features. A model of the command line
/// may have its bias anywhere among its features; the columns are the others, in order.
class ColumnRows {
 public:
  ColumnRows(const Model& model, const Csr& x)
      : bias_(model.features.find("")),
        last_(bias_ == kNone || bias_ == x.num_features),
        rows_(x.rows(last_ ? bias_ : kNone)) {}

  std::size_t size() const { return rows_.size(); }

  RowView operator[](std::size_t n) const {
    const RowView row = rows_[n];
    if (last_) return row;
    thread_local std::vector<std::uint32_t> feature;
    thread_local std::vector<float> value;
    feature.clear();
    for (const std::uint32_t f : row.features) feature.push_back(f + (f >= bias_));
    feature.push_back(bias_);
    if (!rows_.has_values()) return {feature, {}};
    value.assign(row.values.begin(), row.values.end());
    value.push_back(1);
    return {feature, value};
  }

 private:
  std::uint32_t bias_;
  bool last_;
  SparseRows rows_;
};

/// Calls body(row, domain, n) for every row, in parallel.
template <class Body>
void for_each_row(const Model& model, const Csr& x, const py::object& domain, int threads,
                  Body body) {
  const ColumnRows rows(model, x);
  const std::uint32_t target = model.target();
  std::vector<std::uint32_t> own;
  if (!domain.is_none()) own = to_vector(domain.cast<Ids>());
  const auto work = [&](const Execution& exec) {
    exec.parallel_for(rows.size(), kRowsPerChunk, [&](std::size_t first, std::size_t last) {
      exec.throw_if_stopped();
      for (std::size_t n = first; n < last; ++n) {
        body(rows[n], own.empty() ? target : own[n], n);
      }
    });
  };
  if (rows.size() < kManyRows) return run_here(threads, work);
  run(threads, py::none(), [&](const Execution& exec, const OnProgress&) { work(exec); });
}

py::array_t<double> predict(const Model& model, const Csr& x, const py::object& domain,
                            int threads) {
  const Classifier classifier = Classifier::over(model);
  const std::size_t labels = model.labels.size();
  py::array_t<double> probability(
      {static_cast<py::ssize_t>(x.indptr.size() - 1), static_cast<py::ssize_t>(labels)});
  double* out = probability.mutable_data();
  for_each_row(model, x, domain, threads, [&](RowView row, std::uint32_t d, std::size_t n) {
    classifier.predict(row, d, {out + n * labels, labels});
  });
  return probability;
}

py::array_t<double> general(const Model& model, const Csr& x, const py::object& domain,
                            int threads) {
  const Classifier classifier = Classifier::over(model);
  if (!classifier.has_gate()) {
    throw UsageError(fmt::format("a '{}' model has no gate", model.info.system),
                     "train a system with a general component, such as megam");
  }
  py::array_t<double> probability(x.indptr.size() - 1);
  double* out = probability.mutable_data();
  for_each_row(model, x, domain, threads, [&](RowView row, std::uint32_t d, std::size_t n) {
    out[n] = *classifier.general(row, d);
  });
  return probability;
}

// Returns the names of the columns in order, without the bias.
std::vector<std::string> columns(const Model& model) {
  std::vector<std::string> names;
  for (std::uint32_t f = 0; f < model.features.size(); ++f) {
    if (!model.features.name(f).empty()) names.emplace_back(model.features.name(f));
  }
  return names;
}

NameIndex renamed(const Model& model, const std::vector<std::string>& names) {
  NameIndex index;
  std::size_t next = 0;
  for (std::uint32_t f = 0; f < model.features.size(); ++f) {
    const bool is_bias = model.features.name(f).empty();
    const std::string_view name = is_bias ? "" : std::string_view(names.at(next++));
    if (!is_bias && name.empty()) {
      throw UsageError("a column has no name", "give every column a name of its own");
    }
    if (index.add(name) != f) {
      throw UsageError(fmt::format("two columns are named '{}'", name),
                       "give every column a name of its own");
    }
  }
  return index;
}

/// Calls use(model) with temporarily renamed columns.
template <class Use>
auto with_names(Model& model, const std::vector<std::string>& names, Use use) {
  if (names.empty()) return use(model);
  const NameIndex index = renamed(model, names);
  const NameIndexView before = std::exchange(model.features, index.view());
  struct Restore {
    Model& model;
    NameIndexView view;
    ~Restore() { model.features = view; }
  } restore{model, before};
  return use(model);
}

// Returns one line of JSON for each row.
std::vector<std::string> explain_rows(Model& model, const Csr& x, const py::object& domain,
                                      const ExplainOptions& options,
                                      std::optional<std::size_t> top,
                                      const std::vector<std::string>& names) {
  const ColumnRows rows(model, x);
  std::vector<std::uint32_t> own(rows.size(), model.target());
  if (!domain.is_none()) own = to_vector(domain.cast<Ids>());
  return with_names(model, names, [&](const Model& named) {
    std::vector<std::string> all;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      Explanation explanation = explain(named, rows[n], own[n], options);
      if (top) keep_strongest(explanation, *top);
      all.push_back(to_json(explanation));
    }
    return all;
  });
}

// Returns the weights of a linear model for rows of `domain`: [Y][columns] and, of the bias,
// [Y]. None if the model is not linear in the columns.
py::object linear_weights(const Model& model, std::uint32_t domain) {
  const std::optional<LinearModel> linear = linear_model(model, domain);
  if (!linear) return py::none();
  const auto labels = static_cast<py::ssize_t>(model.labels.size());
  const std::uint32_t bias = model.features.find("");
  const auto columns = static_cast<py::ssize_t>(model.features.size() - (bias != kNone));
  py::array_t<double> coef({labels, columns});
  py::array_t<double> intercept(labels);
  for (py::ssize_t y = 0; y < labels; ++y) {
    intercept.mutable_at(y) = 0;
    py::ssize_t column = 0;
    for (std::uint32_t f = 0; f < model.features.size(); ++f) {
      (f == bias ? intercept.mutable_at(y) : coef.mutable_at(y, column++)) =
          linear->weight(f, static_cast<std::uint32_t>(y));
    }
  }
  return py::make_tuple(coef, intercept);
}

// Whether new rows are raw text. Files of version 0.1 say only which format was asked for.
bool reads_text(const Model& model) {
  const Recipe& recipe = *model.recipe;
  const bool table = recipe.format == Format::csv || recipe.format == Format::tsv;
  return !recipe.task && recipe.from_text.value_or(table);
}

py::bytes to_bytes(const Model& model) {
  const std::vector<std::byte> bytes = model_bytes(model);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::shared_ptr<Model> from_bytes(const py::bytes& pickled) {
  const auto text = static_cast<std::string_view>(pickled);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return std::make_shared<Model>(
      load_model(std::vector<std::byte>(first, first + text.size()), "a pickled model"));
}

// Returns the `features` parameter of MemmTagger; nothing for a model without a task.
std::optional<std::string> template_text(const Model& model) {
  const auto& task = model.recipe->task;
  if (!task) return std::nullopt;
  return task->has_builtin_features() ? task->task : task->features;
}

py::dict general_share(const Model& model) {
  py::dict shares;
  for (const auto& domain : model.info.domains) {
    if (domain.general_share) shares[py::str(domain.name)] = *domain.general_share;
  }
  return shares;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Csr>(module, "Csr")
      .def(py::init<py::array, py::array, py::object, std::uint32_t>(), py::arg("indptr"),
           py::arg("indices"), py::arg("data"), py::arg("num_features"));

  py::class_<TrainingRows>(module, "TrainingRows")
      .def(py::init<Csr, bool, Ids, std::vector<std::string>, Ids, std::vector<std::string>,
                    Floats, py::object, std::vector<std::string>>(),
           py::kw_only(), py::arg("x"), py::arg("bias"), py::arg("label"),
           py::arg("labels"), py::arg("domain"), py::arg("domains"), py::arg("weight"),
           py::arg("group") = py::none(), py::arg("names") = std::vector<std::string>())
      .def("set_unlabelled", &TrainingRows::set_unlabelled, py::arg("x"));

  py::class_<Model, std::shared_ptr<Model>>(module, "Model")
      .def_static(
          "load",
          [](const std::string& path) { return std::make_shared<Model>(load_model(path)); },
          py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def(
          "save",
          [](Model& model, const std::string& path, const std::vector<std::string>& names) {
            with_names(model, names, [&](const Model& named) { save_model(named, path); });
          },
          py::arg("path"), py::arg("names") = std::vector<std::string>())
      .def("predict", &predict, py::arg("x"), py::arg("domain"), py::arg("threads"))
      .def("general", &general, py::arg("x"), py::arg("domain"), py::arg("threads"))
      .def(
          "explain",
          [](Model& model, const Csr& x, const py::object& domain,
             std::optional<std::uint32_t> label, std::optional<std::uint32_t> against,
             std::optional<std::size_t> top, const std::vector<std::string>& names) {
            return explain_rows(model, x, domain, {label, against}, top, names);
          },
          py::arg("x"), py::arg("domain"), py::arg("label"), py::arg("against"),
          py::arg("top"), py::arg("names"))
      .def("domain", &Model::domain, py::arg("name"))
      .def_property_readonly("system", [](const Model& m) { return m.info.system; })
      .def_property_readonly("task", [](const Model& m) { return m.recipe->task_name(); })
      .def_property_readonly("template", &template_text)
      .def_property_readonly("target", [](const Model& m) { return m.info.target; })
      .def_property_readonly("options", [](const Model& m) { return m.info.options; })
      .def_property_readonly("bins_values",
                             [](const Model& m) { return !m.binning.empty(); })
      .def_property_readonly("domains",
                             [](const Model& m) { return Classifier::over(m).domains(); })
      .def_property_readonly("columns", &columns)
      .def_property_readonly("reads_text", &reads_text)
      .def_property_readonly(
          "feature_columns",
          [](const Model& m) { return corpus::feature_columns(m.recipe->columns); })
      .def_property_readonly("has_bias",
                             [](const Model& m) { return m.features.find("") != kNone; })
      .def_property_readonly(
          "language",
          [](const Model& m) { return m.recipe->task ? m.recipe->task->language : ""; })
      .def_property_readonly("scheme", [](const Model& m) { return scheme_name(m.scheme); })
      .def_property_readonly("seed", [](const Model& m) { return m.info.seed; })
      .def("linear_weights", &linear_weights, py::arg("domain"))
      .def_property_readonly("general_share", &general_share)
      .def_readonly("labels", &Model::labels)
      .def(py::pickle(&to_bytes, &from_bytes));

  module.def("fit", &fit, py::arg("rows"), py::kw_only(), py::arg("system"),
             py::arg("target"), py::arg("settings"), py::arg("seed"), py::arg("recorded"),
             py::arg("members") = Members(), py::arg("threads"),
             py::arg("progress") = py::none(),
             "Trains one system; returns the model and how the fits went.");

  module.def("systems", [] {
    std::vector<std::pair<std::string, std::string>> all;
    for (const System* system : systems()) {
      all.emplace_back(system->name(), system->traits().summary);
    }
    return all;
  });
  module.def("options", &options, "The table of options, one dict each.");
}

}  // namespace megadapt::python
