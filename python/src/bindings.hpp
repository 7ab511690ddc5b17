#pragma once

#include <pybind11/pybind11.h>

namespace megadapt::python {

void bind_model(pybind11::module_& module);
void bind_comparison(pybind11::module_& module);
void bind_curve(pybind11::module_& module);
void bind_texts(pybind11::module_& module);
void bind_tagger(pybind11::module_& module);

}  // namespace megadapt::python
