#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// {target, sizes, curves, best, verdict, ...}: what `curve --json` prints.
nlohmann::ordered_json curves_json(const LearningCurves& curves, const std::string& target);

}  // namespace megadapt
