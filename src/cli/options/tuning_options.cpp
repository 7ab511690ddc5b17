#include "cli/options/tuning_options.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/mapped_file.hpp"
#include "cli/options/section.hpp"
#include "evaluation/tuner.hpp"
#include "results/json.hpp"
#include "systems/options.hpp"

namespace megadapt::cli {
namespace {

const std::string kTuning = "Tuning";

using Json = nlohmann::ordered_json;

// Calls `take` with the JSON of a file that 'compare --json' wrote. What cannot be used is
// refused here, where the file can be named.
template <class Take>
auto from_comparison(const std::string& path, const Take& take) {
  const MappedFile file(path);
  try {
    return take(Json::parse(file.text(), nullptr, false));
  } catch (const nlohmann::json::exception&) {
    throw InputError({path}, "this is not the result of a comparison",
                     "give the file that 'megadapt compare --json' printed");
  } catch (const UsageError& error) {
    throw InputError({path}, error.headline(),
                     "give a file that this version of 'megadapt compare' wrote");
  }
}

// What a comparison chose for each of its systems.
std::map<std::string, Settings> read_settings(const std::string& path) {
  return from_comparison(path, [](const Json& table) {
    std::map<std::string, Settings> known;
    for (const Json& system : table.at("systems")) {
      const System& named = find_system(system.at("name").get<std::string>());
      Settings& settings = known[named.name()];
      settings = settings_from_json(system.at("tuned"));
      check_settings(named, settings);
    }
    return known;
  });
}

}  // namespace

void add_tuning_options(CLI::App& command, TuningArguments& arguments,
                        const std::string& folds_name,
                        std::optional<double> usual_fraction) {
  arguments.usual_fraction = usual_fraction;
  Section tuning(command, kTuning);
  auto* fraction = tuning.value(
      "--dev-fraction", arguments.dev_fraction,
      "Judge settings by this random share of the target's rows; groups stay together", "F",
      number_from(0, true));
  tuning
      .value(folds_name, arguments.folds,
             fmt::format("Judge settings by cross-validation over K parts of the "
                         "target's rows; {} if neither is given",
                         usual_fraction ? fmt::format("--dev-fraction {}", *usual_fraction)
                                        : fmt::to_string(TuneOptions().folds)),
             "K", number_from(2))
      ->excludes(fraction);
  tuning.choice("--criterion", arguments.criterion, "What settings are judged by",
                {"log-loss", "accuracy", "f1"});
  tuning.value("--set", arguments.set,
               "Fix an option of 'train' instead of tuning it: variance=0.1, gate=psi",
               "NAME=VALUE");
  const std::pair<const char*, const char*> stops[] = {
      {"tolerance", "Stop fits this close to the optimal objective, relative to it"},
      {"max-passes", "Stop fits after this many passes over the data"}};
  for (const auto& [name, help] : stops) {
    add_table_option(command, option_table().find(name), arguments.base)
        ->description(help)
        ->group(kTuning);
  }
}

void add_settings_option(CLI::App& command, TuningArguments& arguments) {
  Section(command, kTuning)
      .value("--settings", arguments.settings,
             "Do not tune systems whose settings are in this file, which 'compare --json' "
             "wrote",
             "FILE");
}

KnownFit read_fit(const std::string& path, const std::string& system) {
  return from_comparison(path, [&](const Json& table) -> KnownFit {
    const std::string name = system.empty() ? table.at("best").get<std::string>() : system;
    for (const Json& one : table.at("systems")) {
      if (one.at("name") != name) continue;
      return {name, options_from_json(one.contains("settings") ? one["settings"]
                                                               : one.at("tuned"))};
    }
    throw InputError({path},
                     name.empty() ? std::string("this comparison has no best system")
                                  : fmt::format("this comparison did not run {}", name),
                     "name another --system, or compare again");
  });
}

TuneOptions tune_options(const TuningArguments& arguments, const CommonOptions& common) {
  TuneOptions options;
  options.dev_fraction = arguments.dev_fraction;
  if (!arguments.dev_fraction && !arguments.folds) {
    options.dev_fraction = arguments.usual_fraction;
  }
  if (options.dev_fraction && !(*options.dev_fraction < 1)) {
    throw UsageError(fmt::format("--dev-fraction {}: nothing is left to train on",
                                 *options.dev_fraction),
                     "give a share below 1, such as 0.2");
  }
  options.folds = arguments.folds.value_or(options.folds);
  options.criterion = parse_criterion(arguments.criterion);
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

std::string settings_text(const std::string& system, const Settings& settings) {
  const bool weights = !find_system(system).members().empty();
  std::string text;
  for (const auto& [name, value] : settings) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                        weights ? fmt::format("{:.2f}", std::stod(value)) : value);
  }
  return text;
}

}  // namespace megadapt::cli
