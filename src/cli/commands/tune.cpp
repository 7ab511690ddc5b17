// megadapt tune: chooses the options of a system by held-out rows of the target.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/tuning_options.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/reports.hpp"
#include "results/json.hpp"

namespace megadapt::cli {
namespace {

struct TuneCommand {
  InputOptions input;
  std::string system;
  TuningArguments tuning;
  std::string output;
};

// The settings that were tried, without those of a combination's members, which are shown
// below the table. Some settings exist only with others, such as the variance of a gate.
std::vector<std::string> names_tried(const Tuned& tuned) {
  std::vector<std::string> names;
  if (!tuned.options.members.empty()) return names;
  for (const Trial& trial : tuned.tried) {
    for (const auto& [name, value] : trial.settings) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::string trial_table(const Tuned& tuned) {
  const std::vector<std::string> names = names_tried(tuned);
  std::vector<std::vector<std::string>> rows{{""}};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  for (const char* title : {"log loss", "accuracy %", "F1 %"}) {
    rows[0].push_back(title);
  }
  for (const Trial& trial : tuned.tried) {
    rows.push_back({trial.settings == tuned.settings ? "*" : ""});
    for (const std::string& wanted : names) {
      const auto found = std::ranges::find(trial.settings, wanted,
                                           [](const auto& pair) { return pair.first; });
      rows.back().push_back(found == trial.settings.end() ? "-" : found->second);
    }
    rows.back().push_back(fmt::format("{:.4f}", trial.log_loss));
    rows.back().push_back(percent(trial.accuracy));
    rows.back().push_back(percent(trial.f1));
  }
  return text_table(rows);
}

std::string calibration_text(const Calibration& found) {
  return fmt::format(
      "calibration: temperature {:.3g}, held-out log loss {:.4f} becomes {:.4f}{}",
      found.temperature, found.before, found.after, found.kept ? "" : "; not used");
}

std::string unlabelled_text(const UnlabelledTrial& found) {
  if (found.weight == 0) {
    return fmt::format("unlabelled rows: not used, they do not lower the log loss {:.4f}",
                       found.log_loss_without);
  }
  return fmt::format(
      "unlabelled rows: weight {:.3g}, sharpen {:.3g}; held-out log loss {:.4f} becomes "
      "{:.4f}",
      found.weight, found.sharpen, found.log_loss_without, found.log_loss);
}

// Says what the search saved; empty if nothing.
std::string search_text(const Tuned& tuned) {
  std::string out;
  if (tuned.dropped > 0) {
    out += fmt::format("dropped after the first folds: {}\n",
                       counted(tuned.dropped, "other setting"));
  }
  if (tuned.source_share < 1) {
    out += fmt::format("the search used {:.3g}% of the source's rows\n",
                       100 * tuned.source_share);
  }
  return out;
}

std::string tuned_text(const Tuned& tuned, const TuneOptions& options) {
  std::string out;
  if (!tuned.tried.empty()) out += trial_table(tuned) + "\n";
  out += wrapped(
      fmt::format("{}: {}", tuned.system,
                  tuned.settings.empty() ? "nothing to choose"
                                         : settings_text(tuned.system, tuned.settings)),
      2);
  if (tuned.calibration) out += wrapped(calibration_text(*tuned.calibration), 2);
  if (tuned.unlabelled && tuned.held_out > 0) {
    out += wrapped(unlabelled_text(*tuned.unlabelled), 2);
  }
  if (tuned.held_out == 0) {
    out += "too few rows to hold some out: these are the initial values, not tuned ones\n";
  } else {
    out += fmt::format("chosen {} ({} held out)\n", how_tuned(options),
                       counted(tuned.held_out, "row"));
    out += search_text(tuned);
  }
  return out;
}

nlohmann::ordered_json result_json(const Tuned& tuned, const TuneOptions& options,
                                   const std::string& output) {
  nlohmann::ordered_json result = {{"system", tuned.system},
                                   {"criterion", criterion_name(options.criterion)},
                                   {"held_out", tuned.held_out},
                                   {"duplicates", tuned.duplicates},
                                   {"tuned", tuned_json(tuned.settings, tuned.options)},
                                   {"tried", trials_json(tuned.tried)},
                                   {"seconds", tuned.seconds},
                                   {"search",
                                    {{"effort", effort_name(options.effort)},
                                     {"source_share", tuned.source_share},
                                     {"dropped", tuned.dropped}}}};
  if (!tuned.options.members.empty()) {
    result["members"] = members_json(tuned.options.members);
  }
  if (tuned.calibration) result["calibration"] = calibration_json({*tuned.calibration});
  if (const auto& found = tuned.unlabelled) {
    result["unlabelled"] = {{"gamma", found->weight},
                            {"k", found->sharpen},
                            {"log_loss", found->log_loss},
                            {"log_loss_without", found->log_loss_without}};
  }
  if (!output.empty()) result["output"] = output;
  return result;
}

void save_tuned(const Dataset& data, const TuneCommand& command, const Tuned& tuned,
                const std::string& target, const TuneOptions& options,
                const Execution& exec) {
  auto recorded = recorded_recipe(command.input.reading);
  recorded.emplace_back("tuned", how_tuned(options));
  Model model =
      train_model(data, tuned.system, target, tuned.options, std::move(recorded), {exec});
  exec.throw_if_stopped();
  save_model(model, command.output);
}

int run_tune(TuneCommand& command, const CommonOptions& common) {
  if (common.json && command.output == "-") {
    throw UsageError("--json and the model would both go to standard output",
                     "write the model to a file: -o m.mega");
  }
  TuneOptions options = tune_options(command.tuning, common);
  options.ranks = common.ranks;
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  Dataset data = read_input(command.input, common);
  const std::string target = chosen_target(command.input, data);
  const bool sequences = data.is_sequences();  // no duplicate warning: tokens repeat
  warn_of_data(data, target, common);
  const StoppableExecution exec(common.threads);
  options.on_progress = [&bar](const Progress& progress) {
    bar.update({.stage = "tuning " + progress.stage, .fraction = progress.fraction});
  };
  const Tuned tuned =
      tune(data, command.system, data.domains().find(target), options, exec);
  exec.throw_if_stopped();
  bar.clear();
  if (!common.speaks()) return kSuccess;
  if (!sequences) warn_of_duplicates(tuned.duplicates, "held-out row", common);
  if (!command.output.empty()) {
    save_tuned(data, command, tuned, target, options, exec);
  }
  auto json = result_json(tuned, options, command.output);
  common.add_warnings(json);
  const std::string text =
      common.json ? json_text(json, 2) + "\n" : printable(tuned_text(tuned, options));
  if (command.output == "-") {
    common.note("{}", text);
    return kSuccess;
  }
  return print(text);
}

}  // namespace

void add_tune(CLI::App& app, Context& context) {
  auto options = std::make_shared<TuneCommand>();
  CLI::App* command = new_command(
      app, "tune", "Choose the options of a system on held-out target rows",
      "megadapt tune --system prior --domain out=news.txt --domain in=calls.txt \\\n"
      "    --target in -o m.mega",
      context.common);
  add_input_options(*command, options->input);
  add_unlabelled_files_option(*command, options->input);
  Section tuning(*command, "Tuning");
  add_system_option(tuning, options->system, "System to tune");
  add_tuning_options(*command, options->tuning, "--tune-folds,--folds");
  add_calibrate_option(*command, options->tuning);
  Section(*command, "Output")
      .value("-o,--output", options->output,
             "Train on all rows with the chosen options, and write the model", "FILE");
  command->callback([options, &context] {
    context.uses_ranks = !options->tuning.dev_fraction;
    context.action = [options, &context] { return run_tune(*options, context.common); };
  });
}

}  // namespace megadapt::cli
