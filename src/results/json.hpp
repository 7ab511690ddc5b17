#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// {"variance": 0.1, "gate": "psi"}; values that are numbers become JSON numbers.
nlohmann::ordered_json settings_json(const Settings& settings);
nlohmann::ordered_json trials_json(const std::vector<Trial>& tried);

/// {systems, pairs, best, verdict, ...}, as `compare --json` prints it.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

/// {target, sizes, curves, best, verdict, ...}, as `curve --json` prints it.
nlohmann::ordered_json curves_json(const LearningCurves& curves, const std::string& target);

/// {domains, kl, auc, separators, ...}, as `relate --json` prints it.
nlohmann::ordered_json relatedness_json(const Relatedness& how);

}  // namespace megadapt
