#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt::cli {

/// The arguments of commands that tune, before they are checked.
struct TuningArguments {
  std::optional<double> dev_fraction;
  std::optional<int> folds;
  std::string criterion = "log-loss";
  std::string effort = "normal";
  std::optional<double> source_share;
  std::string calibrate;         ///< "auto" or "none"
  std::vector<std::string> set;  ///< NAME=VALUE
  std::string settings;          ///< a file
  Options base;                  ///< --tolerance, --max-passes
};

/// Adds --effort, --source-share, --dev-fraction, `folds_name` K, --criterion, --set,
/// --tolerance and --max-passes. Without --dev-fraction and folds, the default folds are
/// used.
void add_tuning_options(CLI::App& command, TuningArguments& arguments,
                        const std::string& folds_name = "--tune-folds");

/// Adds --calibrate auto|none.
void add_calibrate_option(CLI::App& command, TuningArguments& arguments);

/// Adds --settings FILE, for commands that run several systems.
void add_settings_option(CLI::App& command, TuningArguments& arguments);

/// Checks and converts the arguments. Throws UsageError with a remedy.
TuneOptions tune_options(const TuningArguments& arguments, const CommonOptions& common);

/// Warns of data that cannot give a good model and, if the command `tunes`, of a target from
/// which nothing can be held out.
void warn_of_data(const Dataset& data, const std::string& target,
                  const CommonOptions& common, bool tunes = true);

/// Warns of held-out rows that are also training rows.
void warn_of_duplicates(std::size_t duplicates, const char* what,
                        const CommonOptions& common);

/// "variance 0.1, gate psi"; for a combination its weights, to two digits.
std::string settings_text(const std::string& system, const Settings& settings);

}  // namespace megadapt::cli
