// megadapt curve: learning curves of systems over the number of target rows.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/report_option.hpp"
#include "cli/options/tuning_options.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/reports.hpp"
#include "megadapt/comparison.hpp"
#include "megadapt/report.hpp"
#include "megadapt/strategies.hpp"
#include "results/json.hpp"

namespace megadapt::cli {
namespace {

constexpr const char* kByScore = "next";

struct CurveCommand {
  InputOptions input;
  std::string systems;
  std::string sizes;
  std::string test;
  std::string tune = "once";
  std::string strategy = "random";
  TuningArguments tuning;
  CurveOptions curve;
  std::string output = "-";
  std::string report;
};

std::vector<std::size_t> parse_sizes(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::size_t size = 0;
    const auto [end, error] =
        std::from_chars(text.data() + begin, text.data() + comma, size);
    if (error != std::errc() || end != text.data() + comma || size == 0) {
      throw UsageError(fmt::format("--sizes: '{}' is not a number of rows",
                                   text.substr(begin, comma - begin)),
                       "write numbers from 1 on, such as --sizes 25,50,100");
    }
    sizes.push_back(size);
    begin = comma + 1;
  }
  return sizes;
}

CurveTuning parse_tuning(const std::string& name) {
  if (name == "none") return CurveTuning::none;
  return name == "each" ? CurveTuning::each : CurveTuning::once;
}

// Returns the longest curve, whose sizes become the rows of the table. Other curves may
// have ended earlier.
const SystemCurve* longest(const LearningCurves& curves) {
  const SystemCurve* most = nullptr;
  for (const SystemCurve& curve : curves.systems) {
    if (!most || curve.points.size() > most->points.size()) most = &curve;
  }
  return most;
}

// The systems that ran, the best at the largest size first.
std::vector<const SystemCurve*> sorted(const LearningCurves& curves) {
  std::vector<const SystemCurve*> systems;
  for (const SystemCurve& curve : curves.systems) {
    if (curve.left_out.empty()) systems.push_back(&curve);
  }
  const auto last = [](const SystemCurve* curve) {
    return curve->points.empty() ? 0 : curve->points.back().accuracy.mean;
  };
  std::ranges::stable_sort(systems, std::ranges::greater(), last);
  return systems;
}

std::string cell_text(const SystemCurve& curve, double examples, Band CurvePoint::*score,
                      double factor, int digits) {
  for (const CurvePoint& own : curve.points) {
    if (own.examples != examples) continue;
    const Band& band = own.*score;
    return fmt::format("{:.{}f} +-{:.{}f}", factor * band.mean, digits,
                       factor * (band.high - band.low) / 2, digits);
  }
  return "-";
}

std::string table_text(const LearningCurves& curves, const std::string& title,
                       Band CurvePoint::*score, double factor, int digits) {
  std::vector<std::vector<std::string>> rows{{"rows"}};
  for (const CurvePoint& point : longest(curves)->points) {
    rows.push_back({fmt::format("{:.0f}", point.examples)});
    for (const SystemCurve* curve : sorted(curves)) {
      if (rows.size() == 2) rows[0].push_back(curve->name);
      rows.back().push_back(cell_text(*curve, point.examples, score, factor, digits));
    }
  }
  return title + "\n" + text_table(rows) + "\n";
}

std::string curves_text(const LearningCurves& curves) {
  std::string out = table_text(curves, "accuracy, %", &CurvePoint::accuracy, 100, 1) +
                    table_text(curves, "macro F1, %", &CurvePoint::f1, 100, 1) +
                    table_text(curves, "log loss, nats", &CurvePoint::log_loss, 1, 3);
  for (const SystemCurve& curve : curves.systems) {
    if (curve.left_out.empty()) continue;
    out += wrapped(fmt::format("{} is left out: {}", curve.name, curve.left_out), 2);
  }
  out += wrapped(curves.verdict);
  for (const std::string& sentence : curves.evidence) out += wrapped(sentence);
  return out;
}

std::string strategy_text(const StrategyCurve& curve) {
  std::vector<std::vector<std::string>> rows{{"labels", "random", "next"}};
  for (std::size_t s = 0; s < curve.random.size(); ++s) {
    const SystemCurve random{{}, {}, {curve.random[s]}}, next{{}, {}, {curve.next[s]}};
    rows.push_back(
        {fmt::format("{:.0f}", curve.random[s].examples),
         cell_text(random, curve.random[s].examples, &CurvePoint::accuracy, 100, 1),
         cell_text(next, curve.next[s].examples, &CurvePoint::accuracy, 100, 1)});
  }
  return fmt::format("{}: accuracy, %\n{}\n", curve.system, text_table(rows));
}

// Labels rows at random and as `next` would choose them, and says what the latter saves.
int simulate(const CurveCommand& options, const Dataset& data, const std::string& target,
             const Dataset* test, ProgressBar& bar, const CommonOptions& common,
             const Execution& exec) {
  const Strategies both =
      compare_strategies(data, data.domains().find(target), test, options.curve, exec);
  bar.clear();
  auto json = strategies_json(both, target);
  common.add_warnings(json);
  std::string text;
  for (const StrategyCurve& curve : both.systems) {
    if (curve.left_out.empty()) text += strategy_text(curve);
  }
  print(common.json ? json_text(json, 2) + "\n" : printable(text + wrapped(both.verdict)),
        options.output);
  return kSuccess;
}

// Refuses options that a simulation does not use.
void check_strategy(const CurveCommand& options) {
  if (options.strategy != kByScore) return;
  if (options.curve.stop) {
    throw UsageError("--stop and --strategy next exclude each other",
                     "leave out --stop, or give --sizes");
  }
  if (!options.report.empty()) {
    throw UsageError("there is no report page for --strategy next",
                     "leave out --report; --json gives all figures");
  }
}

int curve(CurveCommand& options, const CommonOptions& common) {
  CurveOptions& curve_options = options.curve;
  check_strategy(options);
  if (!options.systems.empty()) curve_options.systems = parse_systems(options.systems);
  curve_options.sizes = parse_sizes(options.sizes);
  curve_options.when_tuned = parse_tuning(options.tune);
  curve_options.tuning = tune_options(options.tuning, common);

  ReportPage page(options.report);
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  const Dataset data = read_input(options.input, common);
  const std::string target = chosen_target(options.input, data);
  const std::uint32_t target_id = data.domains().find(target);
  warn_of_data(data, target, common, curve_options.when_tuned != CurveTuning::none);
  std::optional<Dataset> test;
  if (!options.test.empty()) {
    test = read_test_input(options.input, options.test, data, target_id);
  }
  const StoppableExecution exec(common.threads);
  curve_options.on_progress = [&bar](const Progress& progress) { bar.update(progress); };
  if (options.strategy == kByScore) {
    return simulate(options, data, target, test ? &*test : nullptr, bar, common, exec);
  }
  const LearningCurves curves =
      learning_curves(data, target_id, test ? &*test : nullptr, curve_options, exec);
  bar.clear();
  auto json = curves_json(curves, target);
  common.add_warnings(json);
  print(common.json ? json_text(json, 2) + "\n" : printable(curves_text(curves)),
        options.output);
  if (page.wanted()) {
    bar.update({.stage = "report"});
    page.write(report_result(data, target_id, test ? &*test : nullptr, curves,
                             curve_options, {.commands = {common.command_line}}, exec));
    bar.clear();
  }
  return kSuccess;
}

std::vector<std::string> default_systems() {
  std::vector<std::string> names;
  for (const System* system : systems()) {
    if (system->traits().in_curves) names.push_back(system->traits().name);
  }
  return names;
}

void add_curve_options(CLI::App& command, CurveCommand& options) {
  CurveOptions& curve_options = options.curve;
  Section curves(command, "Learning curves");
  curves.value("--systems", options.systems,
               fmt::format("Systems, separated by commas, or all; onlyi is always added "
                           "(default: {})",
                           fmt::join(default_systems(), ",")),
               "A,B,..");
  curves.value("--sizes", options.sizes,
               "Numbers of target rows, separated by commas; the size of the whole set is "
               "always added (default: up to 6 sizes, each half of the next)",
               "N,M,..");
  curves.value("--repeats", curve_options.repeats, "Random samples of each size", "N",
               number_from(1));
  auto* test = curves.value("--test", options.test,
                            "Labelled target rows to test on (default: each repeat holds "
                            "out a fold)",
                            "FILE");
  curves
      .value("--folds", curve_options.folds,
             "Without --test: number of folds of the target's rows", "K", number_from(2))
      ->excludes(test);
  curves.choice("--tune", options.tune,
                "Tune on every sample, once on all rows, or not at all",
                {"each", "once", "none"});
  curves.choice(
      "--strategy", options.strategy,
      "Which rows are labelled first: random ones, or with next those that 'megadapt "
      "next' chooses, compared with random ones; next takes system pool and 8 sizes "
      "up to half of the rows unless told otherwise",
      {"random", kByScore});
  curves.value("--stop", curve_options.stop,
               "Stop when the best system's accuracy grew by less than this since the last "
               "size, such as 0.005",
               "GAIN", number_from(0));
}

}  // namespace

void add_curve(CLI::App& app, Context& context) {
  auto options = std::make_shared<CurveCommand>();
  CLI::App* command = new_command(
      app, "curve", "Learning curves: accuracy for growing numbers of target rows",
      "megadapt curve --domain out=news.txt.gz --domain in=calls.txt --target in \\\n"
      "    --test calls.test.txt",
      context.common);
  add_input_options(*command, options->input);
  add_unlabelled_files_option(*command, options->input);
  add_curve_options(*command, *options);
  add_tuning_options(*command, options->tuning);
  add_settings_option(*command, options->tuning);
  add_output_option(*command, options->output);
  add_report_option(*command, options->report);
  set_action(*command, context, options, curve);
}

}  // namespace megadapt::cli
