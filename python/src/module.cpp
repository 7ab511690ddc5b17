// megadapt._core: the thin layer between the Python package and the library. It reads
// arrays in place, releases the interpreter's lock, and translates the library's errors to
// Python's.
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <string>

#include "bindings.hpp"
#include "megadapt/error.hpp"

namespace megadapt::python {

// Options of the command line whose parameters have other names.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"domain", "sample_domain"},   {"target", "target_domain"}, {"test", "X_test"},
    {"threads", "n_jobs"},         {"seed", "random_state"},    {"no-bias", "bias"},
    {"as-domain", "sample_domain"}};
// Commands that the package has functions for.
constexpr std::string_view kFunctions[] = {"adapt", "compare", "diff", "relate", "tune"};
// Words that make sense on the command line alone.
constexpr std::pair<std::string_view, std::string_view> kPhrases[] = {
    {"the model comes first, then the data: ", ""},
    {"made by 'megadapt train'", "written by save() or by the command line"},
    {"rename labels that mean the same by map_labels= FILE",
     "give labels that mean the same one name"},
    {"both files have the same format, language and columns",
     "the rows of both are of the same kind and language"}};

void replace_all(std::string& text, const std::string& old, const std::string& by) {
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at)) {
    text.replace(at, old.size(), by);
    at += by.size();
  }
}

// The value of a keyword as Python writes it: 0.5, 'mix', {'spam': 2}.
std::string python_value(const std::string& word) {
  if (const std::size_t equals = word.find('='); equals != word.npos) {
    return "{'" + word.substr(0, equals) + "': " + word.substr(equals + 1) + "}";
  }
  const bool number = word.find_first_not_of("0123456789.,e-") == word.npos;
  return number ? word : "'" + word + "'";
}

// "system= mix, or" -> "system='mix', or". A word counts as a value if it ends its part of
// the sentence, or has the form NAME=VALUE.
std::string with_values(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    out += text[at];
    const bool keyword = text[at] == '=' && at > 0 && at + 2 < text.size() &&
                         text[at + 1] == ' ' && std::isalpha(text[at - 1]) != 0;
    if (!keyword) continue;
    std::size_t end = text.find_first_of(" ,:;)\n", at + 2);
    end = std::min(end, text.size());
    const std::string word = text.substr(at + 2, end - at - 2);
    const bool last = end == text.size() || text[end] != ' ';
    if (word.empty() || !(last || word.find('=') != word.npos)) continue;
    out += python_value(word);
    at = end - 1;
  }
  return out;
}

// Says in Python's words what the library says in those of the command line. The remedies
// of a message are separated by "; ". Removes those that name a command for which the
// package has no function.
void replace_commands(std::string& text) {
  for (const auto& [said, ours] : kPhrases) {
    replace_all(text, std::string(said), std::string(ours));
  }
  for (const std::string_view name : kFunctions) {
    replace_all(text, "'megadapt " + std::string(name) + "'",
                "megadapt." + std::string(name) + "()");
  }
  for (std::size_t at = text.find("'megadapt "); at != text.npos;
       at = text.find("'megadapt ")) {
    const std::size_t start = text.rfind("; ", at);
    if (start == text.npos) break;
    const std::size_t end = std::min(text.find("; ", at), text.size());
    text.erase(start, end - start);
  }
}

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
  replace_all(text, " NAME=FILE", "");  // Python takes no files
  replace_commands(text);
  return with_values(text);
}

void warn(const std::vector<Warning>& warnings, int level) {
  for (const Warning& warning : warnings) {
    const std::string text = in_python(Error(warning.problem, warning.remedy));
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), level) != 0) {
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
  megadapt::python::bind_selection(module);
}
