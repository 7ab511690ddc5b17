// next_rows() of the package. Rows come as a file of JSON Lines, as for adapt().
#include "megadapt/selection.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "runner.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

py::list next_of_file(const Model& model, const std::string& path, std::size_t budget,
                      int threads) {
  NextBatch batch;
  run(threads, py::none(), [&](const Execution& exec, const OnProgress&) {
    const OpenOptions open{.format = "jsonl"};
    const Classifier classifier = Classifier::over(model);
    batch = classifier.has_task()
                ? next_sentences(Tagger::over(model), path, open, budget, exec)
                : next_rows(classifier, path, open, budget, exec);
  });
  py::list all;
  for (const NextRow& row : batch.chosen) {
    py::dict entry;
    entry["row"] = row.row - 1;  // Python counts from 0
    entry["score"] = row.score;
    entry["reasons"] = row.reasons;
    entry["text"] = row.text;
    all.append(entry);
  }
  return all;
}

}  // namespace

void bind_selection(py::module_& module) {
  module.def("next_of_file", &next_of_file, py::arg("model"), py::arg("path"),
             py::kw_only(), py::arg("budget"), py::arg("threads"));
}

}  // namespace megadapt::python
