#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"
#include "megadapt/strategies.hpp"

namespace megadapt {

/// {"variance": 0.1, "gate": "psi"}; values that are numbers become JSON numbers.
nlohmann::ordered_json settings_json(const Settings& settings);
/// The settings that tuning chose, and "calibration" if it found a temperature.
nlohmann::ordered_json tuned_json(const Settings& settings, const Options& options);
/// {temperature, kept, log_loss, log_loss_without}: means over the folds.
nlohmann::ordered_json calibration_json(const std::vector<Calibration>& folds);
Settings settings_from_json(const nlohmann::ordered_json& object);
/// [{name, weight, tuned}, ...], one for each system of a combination.
nlohmann::ordered_json members_json(const std::vector<Member>& members);

/// Everything that determines a fit by `system`: the options that it reads, the members of a
/// combination, the seed.
nlohmann::ordered_json options_json(const System& system, const Options& options);
/// Reads these options back. Throws nlohmann's exceptions, and UsageError for an unknown
/// option or a bad value.
Options options_from_json(const nlohmann::ordered_json& object);

nlohmann::ordered_json trials_json(const std::vector<Trial>& tried);

/// {systems, pairs, best, verdict, ...}, as `compare --json` prints it.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

/// {target, sizes, curves, best, verdict, ...}, as `curve --json` prints it.
nlohmann::ordered_json curves_json(const LearningCurves& curves, const std::string& target);
nlohmann::ordered_json strategies_json(const Strategies& strategies,
                                       const std::string& target);

/// {domains, kl, auc, separators, ...}, as `relate --json` prints it.
nlohmann::ordered_json relatedness_json(const Relatedness& how);

}  // namespace megadapt
