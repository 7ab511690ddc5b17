// megadapt._core: the thin layer between the Python package and the library. It reads
// arrays in place, releases the interpreter's lock, and translates the library's errors to
// Python's.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <exception>
#include <string>

#include "bindings.hpp"
#include "megadapt/error.hpp"

namespace megadapt::python {

// Options of the command line whose parameters have other names.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"domain", "sample_domain"}, {"target", "target_domain"}, {"test", "X_test"},
    {"threads", "n_jobs"},       {"seed", "random_state"},    {"no-bias", "bias"}};

// Names options as keyword arguments.
std::string in_python(const Error& error) {
  std::string text = error.text([](std::string_view name) {
    for (const auto& [option, parameter] : kRenamed) {
      if (option == name) return std::string(parameter) + "=";
    }
    std::string keyword(name);
    std::replace(keyword.begin(), keyword.end(), '-', '_');
    return keyword + "=";
  });
  const std::string file = " NAME=FILE";  // Python takes no files
  for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file)) {
    text.erase(at, file.size());
  }
  return text;
}

void warn(const std::vector<Warning>& warnings) {
  constexpr int kUserLevel = 4;  // the frame that calls fit()
  for (const Warning& warning : warnings) {
    const std::string text = in_python(Error(warning.problem, warning.remedy));
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), kUserLevel) != 0) {
      throw pybind11::error_already_set();
    }
  }
}

}  // namespace megadapt::python

namespace {

namespace py = pybind11;
using megadapt::python::in_python;

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const megadapt::ResourceError& error) {
    PyErr_SetString(PyExc_OSError, in_python(error).c_str());
  } catch (const megadapt::Interrupted& error) {
    PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  } catch (const megadapt::Error& error) {
    PyErr_SetString(PyExc_ValueError, in_python(error).c_str());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of megadapt; use the package instead.";
  module.attr("__version__") = std::string(megadapt::version());
  py::register_exception_translator(&translate);
  megadapt::python::bind_model(module);
  megadapt::python::bind_comparison(module);
  megadapt::python::bind_curve(module);
  megadapt::python::bind_tagger(module);
  megadapt::python::bind_texts(module);
  megadapt::python::bind_adapt(module);
}
