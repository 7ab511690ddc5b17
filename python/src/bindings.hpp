#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "megadapt/error.hpp"
#include "megadapt/warnings.hpp"

namespace megadapt::python {

/// The text of an error with options named as keyword arguments.
std::string in_python(const Error& error);

/// Issues a UserWarning for each, as if from the frame that is `level` frames above the
/// compiled part. Throws if the caller turned warnings into errors.
void warn(const std::vector<Warning>& warnings, int level);

void bind_model(pybind11::module_& module);
void bind_comparison(pybind11::module_& module);
void bind_curve(pybind11::module_& module);
void bind_adapt(pybind11::module_& module);
void bind_selection(pybind11::module_& module);
void bind_texts(pybind11::module_& module);
void bind_tagger(pybind11::module_& module);

}  // namespace megadapt::python
