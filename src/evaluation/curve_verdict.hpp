#pragma once

#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Fills in the best system, where it reaches the accuracy of onlyi with all rows, and the
/// verdict. Between two sizes accuracy is taken to be linear in the logarithm of the size.
void conclude_curves(LearningCurves& curves, const std::string& target);

}  // namespace megadapt
