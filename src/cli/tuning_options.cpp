#include "cli/tuning_options.hpp"

#include <fmt/format.h>

namespace megadapt::cli {
namespace {

const std::string kTuning = "Tuning";

}  // namespace

void add_tuning_options(CLI::App& command, TuningArguments& arguments,
                        const std::string& folds_name, const std::string& otherwise) {
  auto* fraction =
      command
          .add_option("--dev-fraction", arguments.dev_fraction,
                      "Judge settings by this random share of the target's rows; groups "
                      "stay together")
          ->type_name("F")
          ->check(number_from(0, true))
          ->group(kTuning);
  command
      .add_option(folds_name, arguments.folds,
                  "Judge settings by cross-validation over K parts of the target's rows; " +
                      otherwise)
      ->type_name("K")
      ->check(number_from(2))
      ->excludes(fraction)
      ->group(kTuning);
  restrict_to(
      command.add_option("--criterion", arguments.criterion, "What settings are judged by")
          ->capture_default_str()
          ->group(kTuning),
      {"log-loss", "accuracy", "f1"});
  command
      .add_option("--set", arguments.set,
                  "Fix an option of 'train' instead of tuning it: variance=0.1, gate=psi")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->group(kTuning);
  command
      .add_option("--tolerance", arguments.tolerance,
                  "Stop fits this close to the optimal objective, relative to it")
      ->type_name("E")
      ->check(number_from(0, true))
      ->capture_default_str()
      ->group(kTuning);
  command
      .add_option("--max-passes", arguments.max_passes,
                  "Stop fits after this many passes over the data")
      ->type_name("N")
      ->check(number_from(1))
      ->capture_default_str()
      ->group(kTuning);
}

TuneOptions tune_options(const TuningArguments& arguments, const CommonOptions& common) {
  TuneOptions options;
  options.dev_fraction = arguments.dev_fraction.value_or(options.dev_fraction);
  if (!(options.dev_fraction < 1)) {
    throw UsageError(
        fmt::format("--dev-fraction {}: nothing is left to train on", options.dev_fraction),
        "give a share below 1, such as 0.2");
  }
  if (!(arguments.tolerance < 1)) {
    throw UsageError(fmt::format("--tolerance {} is not below 1", arguments.tolerance),
                     "give a number such as 1e-4");
  }
  options.folds = arguments.folds;
  options.criterion = parse_criterion(arguments.criterion);
  options.base.tolerance = arguments.tolerance;
  options.base.max_passes = arguments.max_passes;
  options.base.seed = common.seed;
  for (const std::string& text : arguments.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(fmt::format("--set {}: this is not NAME=VALUE", text),
                       "write --set variance=0.1");
    }
    const std::string name = text.substr(0, equals);
    set_option(options.base, name, text.substr(equals + 1));
    options.fixed.push_back(name);
  }
  return options;
}

std::string held_out_text(const TuneOptions& options) {
  return options.folds >= 2 ? fmt::format("{}-fold cross-validation", options.folds)
                            : fmt::format("a random {:.3g}%", 100 * options.dev_fraction);
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

}  // namespace megadapt::cli
