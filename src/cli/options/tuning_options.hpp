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
  std::optional<int> folds;
  std::optional<double> usual_fraction;  ///< when neither is given; else folds
  std::string criterion = "log-loss";
  std::vector<std::string> set;  ///< NAME=VALUE
  std::string settings;          ///< a file
  Options base;                  ///< --tolerance, --max-passes
};

/// --dev-fraction, `folds_name` K, --criterion, --set, --tolerance, --max-passes. When
/// neither of the first two is given, `usual_fraction` holds, else the usual folds.
void add_tuning_options(CLI::App& command, TuningArguments& arguments,
                        const std::string& folds_name,
                        std::optional<double> usual_fraction = {});

/// --settings FILE, for commands that run several systems.
void add_settings_option(CLI::App& command, TuningArguments& arguments);

/// Reads what was typed. UsageError with a remedy for what makes no sense.
TuneOptions tune_options(const TuningArguments& arguments, const CommonOptions& common);

/// "5-fold cross-validation", "a random 20%".
std::string held_out_text(const TuneOptions& options);

/// "variance 0.1, gate psi"; of a combination its weights, to two digits.
std::string settings_text(const std::string& system, const Settings& settings);

}  // namespace megadapt::cli
