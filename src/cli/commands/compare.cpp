// megadapt compare: tunes, trains and tests systems on the same rows.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/json.hpp"
#include "base/option_table.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/report_option.hpp"
#include "cli/options/tuning_options.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/reports.hpp"
#include "megadapt/comparison.hpp"
#include "megadapt/report.hpp"
#include "results/json.hpp"

namespace megadapt::cli {
namespace {

struct CompareCommand {
  InputOptions input;
  std::string test;
  int folds = kDefaultFolds;
  std::string systems = "all";
  bool no_tuning = false;
  bool control = false;
  TuningArguments tuning;
  std::string rank;  // empty: F1 for spans, else accuracy
  bool criterion_typed = false;
  std::string resume;
  std::string time;  // as typed; empty: no limit
  std::optional<double> passes;
  std::string report;
  std::string output;
  std::string keep;
};

// "45 s", "3 min", "2 h".
std::string about(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// Says what the comparison is going to do, if it takes long or has a limit.
void tell_plan(const WorkPlan& plan, std::size_t systems, const CommonOptions& common) {
  constexpr double kLong = 10;  // seconds
  if (!plan.limit && plan.seconds < kLong) return;
  std::string text = fmt::format(
      "tuning and testing {}: about {:.3g} passes over the rows, about {}",
      counted(systems - plan.left_out.size(), "system"), plan.passes, about(plan.seconds));
  if (!plan.limit) {
    text += "; --time and --effort shorten that";
  } else {
    if (!plan.budget.empty()) text += ", with shorter searches";
    if (!plan.left_out.empty()) {
      text += fmt::format(", without {}", fmt::join(plan.left_out, ", "));
    }
    text += fmt::format("; --passes {} repeats it", print_number(*plan.limit));
  }
  common.note("{}", text);
}

CompareOptions compare_options(const CompareCommand& command, const CommonOptions& common,
                               ProgressBar& bar) {
  CompareOptions options;
  options.systems = parse_systems(command.systems);
  options.tuning = tune_options(command.tuning, common);
  if (!command.rank.empty() && !command.criterion_typed) {
    options.tuning.criterion = parse_criterion(command.rank);
  }
  options.tune = !command.no_tuning;
  options.control = command.control;
  if (!command.rank.empty()) options.rank = parse_criterion(command.rank);
  options.folds = command.folds;
  options.resume = command.resume;
  options.passes = command.passes;
  if (options.tune || options.passes || !command.time.empty()) {
    options.on_plan = [&common, &bar,
                       systems = options.systems.size()](const WorkPlan& plan) {
      bar.clear();
      tell_plan(plan, systems, common);
    };
  }
  options.on_progress = [&bar](const Progress& progress) { bar.update(progress); };
  options.on_system = [&common](const SystemResult& system) {
    common.detail("{}: {}", system.name,
                  system.left_out.empty()
                      ? fmt::format("accuracy {:.2f}%, log loss {:.4f}, {:.2f} s",
                                    100 * system.evaluation.accuracy,
                                    system.evaluation.log_loss, system.seconds)
                      : "left out: " + system.left_out);
  };
  return options;
}

void print_result(const Comparison& comparison, const CompareCommand& command,
                  const CommonOptions& common) {
  if (comparison.best.empty()) return;
  if (!common.json) {
    const std::string text = comparison_text(comparison);
    if (command.output == "-") return common.note("{}", text);
    print(printable(text));
    return;
  }
  auto json = comparison_json(comparison);
  if (!command.output.empty()) json["output"] = command.output;
  if (!command.keep.empty()) json["kept"] = command.keep;
  common.add_warnings(json);
  print(json_text(json, 2) + "\n");
}

void tell_kept(const Dataset& train, const Comparison& comparison,
               const CompareCommand& command, const CommonOptions& common) {
  const std::string rows = counted(train.num_examples(), "row");
  if (!command.output.empty() && command.output != "-") {
    common.note("{}: {}, trained on all {}", command.output, comparison.best, rows);
  }
  if (!command.keep.empty()) {
    common.note("{}: a model of each system, trained on all {}", command.keep, rows);
  }
}

int run_compare(CompareCommand& command, const CommonOptions& common) {
  const auto start = std::chrono::steady_clock::now();
  const std::optional<double> limit =
      command.time.empty() ? std::nullopt
                           : std::optional(parse_duration("time", command.time));
  if (!common.speaks()) command.report.clear();
  ReportPage page(command.report);
  const KeptModels kept{command.output, command.keep,
                        recorded_recipe(command.input.reading)};
  if (common.speaks()) {
    if (!command.output.empty()) check_model_output(command.output, common);
    prepare_to_keep(kept);
  }
  ProgressBar bar(common.quiet);
  CompareOptions options = compare_options(command, common, bar);
  options.ranks = common.ranks;
  bar.update({.stage = "reading"});
  const Dataset train =
      read_input(command.input, common, serial_communicator(), page.wanted());
  const std::uint32_t target = train.domains().find(chosen_target(command.input, train));
  warn_of_data(train, std::string(train.domains().name(target)), common,
               !command.no_tuning);
  std::optional<Dataset> test;
  if (!command.test.empty()) {
    refuse_shared_input(command.test, common);
    test = read_test_input(command.input, command.test, train, target, page.wanted());
  }
  const StoppableExecution exec(common.threads);
  if (limit) {
    const std::chrono::duration<double> read = std::chrono::steady_clock::now() - start;
    options.seconds = std::max(1.0, *limit - read.count());
  }
  const Comparison comparison =
      compare(train, target, test ? &*test : nullptr, options, exec);
  bar.clear();
  if (!common.speaks()) return kSuccess;
  // Not for sequences, where the same token often occurs in the same context.
  if (!train.is_sequences()) {
    warn_of_duplicates(comparison.duplicates, "test row", common);
  }
  if (comparison.complete && comparison.best.empty()) {
    throw UsageError(fmt::format("no system could run: {}", comparison.systems[0].left_out),
                     "add --domain NAME=FILE for a source domain, or name other systems");
  }
  print_result(comparison, command, common);
  if (page.wanted() && !comparison.best.empty()) {
    bar.update({.stage = "report"});
    // A stopped comparison gets its page, too. `exec` would stop at once, so use an
    // execution without a stop flag. A second Ctrl-C still ends the program.
    page.write(report_result(
        train, target, test ? &*test : nullptr, comparison, options,
        {.commands = {common.command_line}, .texts = test ? test->text : train.text},
        Execution(common.threads)));
    bar.clear();
  }
  if (comparison.complete) {
    keep_models(train, target, comparison, options, kept, exec);
    bar.clear();
    tell_kept(train, comparison, command, common);
    return kSuccess;
  }
  if (!command.resume.empty()) {
    common.note("finished systems are saved in {}; run the same command again to continue",
                command.resume);
  }
  throw Interrupted();
}

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  auto options = std::make_shared<CompareCommand>();
  CLI::App* command = new_command(
      app, "compare", "Tune, train and test several systems, and recommend one",
      "megadapt compare --domain out=news.txt --domain in=calls.txt --target in \\\n"
      "    --test calls.test.txt --systems all",
      context.common);
  add_input_options(*command, options->input);
  add_unlabelled_files_option(*command, options->input);
  Section comparison(*command, "Comparison");
  auto* test = comparison.value("--test", options->test,
                                "Labelled target rows to test on, - for standard input "
                                "(default: cross-validation)",
                                "FILE");
  comparison
      .value("--folds", options->folds, "Without --test: number of cross-validation folds",
             "K", number_from(2))
      ->excludes(test);
  comparison.value("--systems", options->systems,
                   "Systems to compare, separated by commas, or all", "A,B,...");
  comparison.choice(
      "--rank", options->rank,
      "Score by which systems are ranked (default: f1 for tags of spans, else accuracy)",
      {"accuracy", "f1", "log-loss"});
  comparison.flag(
      "--control", options->control,
      "Also fit each system with the rows' domains permuted; a gain that is left does not "
      "come from the domains");
  comparison.value("--resume", options->resume,
                   "Save finished systems in this directory, and continue from it later",
                   "DIR");
  auto* time = comparison.value(
      "--time", options->time,
      "Take about this time, such as 5m: search less, and if that is not enough, compare "
      "fewer systems",
      "TIME");
  rare(comparison.value("--passes", options->passes,
                        "Take about this many passes over the rows, as a run with --time "
                        "printed; the result does not depend on the machine",
                        "N", number_from(0, true)))
      ->excludes(time);
  add_tuning_options(*command, options->tuning);
  CLI::Option* criterion = command->get_option("--criterion");
  criterion->description(
      "Score by which settings are chosen (default: that of --rank, if it is given, else "
      "log-loss, whatever systems are ranked by)");
  criterion->default_str("");
  add_calibrate_option(*command, options->tuning);
  add_settings_option(*command, options->tuning);
  Section(*command, "Tuning")
      .flag("--no-tuning", options->no_tuning,
            "Do not tune; use --set and the defaults of 'train'");
  Section output(*command, "Output");
  output.value("-o,--output", options->output,
               "Keep the model of the best system, trained on all rows", "FILE");
  output.value("--keep", options->keep,
               "Keep a model of each system in this folder, as SYSTEM.mega", "DIR");
  add_report_option(*command, options->report);
  set_action(
      *command, context, options,
      [criterion](CompareCommand& typed, const auto& common) {
        typed.criterion_typed = criterion->count() > 0;
        return run_compare(typed, common);
      },
      true);
}

}  // namespace megadapt::cli
