#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt::cli {

/// Options of commands that tune, as they were typed.
struct TuningArguments {
  std::optional<double> dev_fraction;
  int folds = 0;
  std::string criterion = "log-loss";
  std::vector<std::string> set;  ///< NAME=VALUE
  std::string settings;          ///< a file
  double tolerance = AdaptationOptions().tolerance;
  int max_passes = AdaptationOptions().max_passes;
};

/// --dev-fraction, `folds_name` K, --criterion, --set, --tolerance, --max-passes.
/// `otherwise` says what holds when neither of the first two is given.
void add_tuning_options(CLI::App& command, TuningArguments& arguments,
                        const std::string& folds_name, const std::string& otherwise);

/// --settings FILE, for commands that run several systems.
void add_settings_option(CLI::App& command, TuningArguments& arguments);

/// Reads what was typed. UsageError with a remedy for what makes no sense.
TuneOptions tune_options(const TuningArguments& arguments, const CommonOptions& common);

/// "5-fold cross-validation", "a random 20%".
std::string held_out_text(const TuneOptions& options);

/// "variance 0.1, gate psi".
std::string settings_text(const Settings& settings);

}  // namespace megadapt::cli
