#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"
#include "megadapt/relatedness.hpp"

namespace megadapt {

/// {"variance": 0.1, "gate": "psi"}: numbers as numbers.
nlohmann::ordered_json settings_json(const Settings& settings);
nlohmann::ordered_json trials_json(const std::vector<Trial>& tried);

/// {systems, pairs, best, verdict, ...}: what `compare --json` prints.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

/// {target, sizes, curves, best, verdict, ...}: what `curve --json` prints.
nlohmann::ordered_json curves_json(const LearningCurves& curves, const std::string& target);

/// {domains, kl, auc, separators, ...}: what `relate --json` prints.
nlohmann::ordered_json relatedness_json(const Relatedness& how);

}  // namespace megadapt
