#include "cli/options/tuning_options.hpp"

#include <fmt/format.h>

#include "cli/options/section.hpp"
#include "results/settings_file.hpp"
#include "systems/options.hpp"

namespace megadapt::cli {
namespace {

const std::string kTuning = "Tuning";

// "mix (variance 1), prior (variance 0.05, source-variance 0.3)".
std::string member_settings_text(const Settings& settings) {
  std::string text, last;
  for (const auto& [name, value] : settings) {
    const std::string member = name.substr(0, name.find('.'));
    const std::string option = name.substr(name.find('.') + 1);
    if (member == last) {
      text += fmt::format(", {} {}", option, value);
    } else {
      text += fmt::format("{}{} ({} {}", last.empty() ? "" : "), ", member, option, value);
    }
    last = member;
  }
  return text.empty() ? text : text + ")";
}

}  // namespace

void add_tuning_options(CLI::App& command, TuningArguments& arguments,
                        const std::string& folds_name) {
  Section tuning(command, kTuning);
  tuning.choice(
      "--effort", arguments.effort,
      "How hard to search: normal and quick use a sample of the source's rows and "
      "drop poor settings early; thorough uses all rows and folds",
      {"quick", "normal", "thorough"});
  rare(tuning.value(
      "--source-share", arguments.source_share,
      "Share of the source's rows that the search uses (default: by --effort); "
      "models are trained on all rows",
      "S", number_from(0, true)));
  CLI::Option* fraction = rare(tuning.value(
      "--dev-fraction", arguments.dev_fraction,
      "Test settings on this random share of the target's rows; groups stay together", "F",
      number_from(0, true)));
  rare(tuning.value(folds_name, arguments.folds,
                    fmt::format("Test settings by K-fold cross-validation on the target's "
                                "rows (default: {})",
                                kDefaultFolds),
                    "K", number_from(2)))
      ->excludes(fraction);
  rare(tuning.choice("--criterion", arguments.criterion,
                     "Score by which settings are chosen", {"log-loss", "accuracy", "f1"}));
  tuning.value("--set", arguments.set,
               "Fix an option of 'train' instead of tuning it, such as variance=0.1",
               "NAME=VALUE");
  for (const char* name : {"tolerance", "max-passes"}) {
    add_table_option(command, option_table().find(name), arguments.base)->group(kTuning);
  }
}

void add_calibrate_option(CLI::App& command, TuningArguments& arguments) {
  arguments.calibrate = "auto";
  Section(command, kTuning)
      .choice("--calibrate", arguments.calibrate,
              "auto: choose a temperature, which makes all probabilities more or less "
              "certain, on held-out rows, and keep it if it lowers the log loss of others",
              {"auto", "none"});
}

void add_settings_option(CLI::App& command, TuningArguments& arguments) {
  Section(command, kTuning)
      .value("--settings", arguments.settings,
             "File that 'compare --json' wrote; systems in it use its settings and are not "
             "tuned",
             "FILE");
}

TuneOptions tune_options(const TuningArguments& arguments, const CommonOptions& common) {
  TuneOptions options;
  options.dev_fraction = arguments.dev_fraction;
  if (options.dev_fraction && !(*options.dev_fraction < 1)) {
    throw UsageError(fmt::format("--dev-fraction {}: nothing is left to train on",
                                 *options.dev_fraction),
                     "give a share below 1, such as 0.2");
  }
  options.folds = arguments.folds.value_or(options.folds);
  options.criterion = parse_criterion(arguments.criterion);
  options.effort = parse_effort(arguments.effort);
  options.source_share = arguments.source_share;
  if (options.source_share.value_or(1) > 1) {
    throw UsageError(fmt::format("--source-share {} is above 1", *options.source_share),
                     "give a share of the source's rows, such as 0.25");
  }
  options.calibrate = arguments.calibrate == "auto";
  options.base = arguments.base;
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
  if (!arguments.settings.empty()) options.known = read_settings(arguments.settings);
  return options;
}

void warn_of_data(const Dataset& data, const std::string& target,
                  const CommonOptions& common, bool tunes) {
  const std::uint32_t id = data.domains().find(target);
  common.warn(data_warnings(data, id));
  if (tunes) common.warn(tuning_warning(data, id));
}

void warn_of_duplicates(std::size_t duplicates, const char* what,
                        const CommonOptions& common) {
  common.warn(duplicate_warning(duplicates, what));
}

std::string settings_text(const std::string& system, const Settings& settings) {
  const System& named = find_system(system);
  if (named.traits().finds_member_weights) return member_settings_text(settings);
  const bool weights = !named.members().empty();
  std::string text;
  for (const auto& [name, value] : settings) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        weights ? fmt::format("{:.2f}", std::stod(value)) : value);
  }
  return text;
}

}  // namespace megadapt::cli
