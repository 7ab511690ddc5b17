// megadapt train: reads rows of one or more domains, writes a model file.

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/section.hpp"
#include "cli/options/tuning_options.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/trace.hpp"
#include "execution/collectives.hpp"
#include "results/settings_file.hpp"
#include "systems/memory.hpp"
#include "systems/options.hpp"

namespace megadapt::cli {
namespace {

struct TrainOptions {
  const CLI::App* command = nullptr;
  InputOptions input;
  std::string system;
  std::string settings;
  Options options;
  std::vector<std::string> given;  ///< names of those in `options` that were typed
  std::string trace;
  std::string checkpoint;
  std::string output;
  std::string memory_limit;  ///< as typed
};

std::string system_summaries() {
  std::string out = "Systems:\n";
  for (const System* system : systems()) {
    out += fmt::format("  {:<10} {}\n", system->name(), system->traits().summary);
  }
  return out;
}

// A change of a general share pi in the last round that is worth a note.
constexpr double kStillMoving = 0.01;

/// A summary of all fits: passes add up, and the last fit gives the model.
struct Summary {
  std::size_t examples = 0;
  double objective = 0;
  double gap = 0;
  int passes = 0;
  bool converged = true;
  std::optional<MixtureEnd> mixture = {};
  double seconds = 0;

  void add(const MaxentFit& fit) {
    objective = fit.objective;
    gap = fit.gap;
    passes += fit.passes;
    converged = converged && fit.converged;
  }
};

void report(const TrainOptions& options, const CommonOptions& common, const Model& model,
            const Summary& summary) {
  if (!summary.converged) {
    common.warn(Warning{
        "not-converged",
        fmt::format("stopped before the tolerance was reached (estimated gap {:.2g})",
                    summary.gap),
        "raise --max-passes or --tolerance; --strict makes this an error"});
  }
  if (summary.mixture && summary.mixture->moved > kStillMoving) {
    common.note(
        "note: pi still moved by {:.3f} in round {}; --rounds 20 or --rounds auto lets it "
        "settle",
        summary.mixture->moved, summary.mixture->rounds);
  }
  if (!common.json) {
    return common.note("{}: {}, {}, {}, objective {:.6g} after {} passes, {:.2f} s",
                       options.system, counted(summary.examples, "example"),
                       counted(model.features.size(), "feature"),
                       counted(model.labels.size(), "label"), summary.objective,
                       summary.passes, summary.seconds);
  }
  nlohmann::ordered_json result = {
      {"system", options.system},          {"examples", summary.examples},
      {"features", model.features.size()}, {"labels", model.labels.size()},
      {"objective", summary.objective},    {"gap", summary.gap},
      {"passes", summary.passes},          {"converged", summary.converged},
      {"seconds", summary.seconds},        {"output", options.output}};
  common.add_warnings(result);
  print(json_text(result, 2) + "\n");
}

Model train_on(Dataset data, const TrainOptions& options, const CommonOptions& common,
               ProgressBar& bar, Summary& summary) {
  const std::string target = chosen_target(options.input, data);
  common.warn(data_warnings(data, data.domains().find(target), *common.ranks));
  Execution exec(common.threads, *common.ranks);
  exec.set_stop_flag(stop_flag());
  FitContext context{
      .exec = exec,
      .strict = common.strict,
      .checkpoint = options.checkpoint,
      .on_progress = [&bar](const Progress& progress) { bar.update(progress); },
      .on_fit = [&summary](const MaxentFit& fit) { summary.add(fit); },
      .on_mixture = [&summary](const MixtureEnd& end) { summary.mixture = end; }};
  std::optional<Trace> trace;
  if (!options.trace.empty()) {
    if (common.speaks()) trace.emplace(options.trace, data.domains().names());
    // Set on every rank, because the objective of a step is a sum over all ranks.
    context.on_step = [&](const MixtureStep& step) {
      if (trace) trace->add(step);
    };
  }
  common.detail("training on {} with {} on {}", counted(summary.examples, "example"),
                counted(static_cast<std::uint64_t>(exec.threads()), "thread"),
                counted(static_cast<std::uint64_t>(exec.ranks().size()), "rank"));
  Model model = train_model(data, options.system, target, options.options,
                            recorded_recipe(options.input.reading), context);
  exec.throw_if_stopped();
  if (trace) trace->finish();
  return model;
}

// A combination fits each member with the settings that --settings has for it. An option
// that is among these would have no effect, so typing it is an error.
void refuse_if_members_decide(const std::string& option, const KnownFit& known) {
  for (const Member& member : known.options.members) {
    for (const auto& [name, value] : member.settings) {
      if (name != option) continue;
      throw UsageError(
          fmt::format(
              "--{}: the settings of {} have a value of their own for its member {}",
              option, known.system, member.system),
          "leave it out, or leave out --settings");
    }
  }
}

// Takes the options of --settings, except those that were typed.
void settle_options(TrainOptions& options, const CommonOptions& common) {
  if (options.settings.empty()) {
    if (options.system.empty()) {
      throw UsageError(
          "--system is required",
          "name one, such as --system mix, or give --settings FILE; 'megadapt compare' "
          "finds the best one");
    }
    options.options.seed = common.seed;
    return;
  }
  KnownFit known = read_fit(options.settings, options.system);
  for (const auto& option : option_table()) {
    const CLI::Option* typed = options.command->get_option("--" + option.name);
    if (typed->count() == 0) continue;
    refuse_if_members_decide(option.name, known);
    for (const std::string& text : typed->results()) {
      set_option(known.options, option.name, text);
    }
  }
  if (options.command->count("--seed") > 0) known.options.seed = common.seed;
  options.system = known.system;
  options.options = known.options;
}

/// Refuses options that the chosen system does not use.
void refuse_unused(const TrainOptions& options) {
  const System& system = find_system(options.system);
  refuse_unread(std::array{&system}, options.given);
  const std::pair<const char*, const std::string*> files[] = {
      {"trace", &options.trace}, {"checkpoint", &options.checkpoint}};
  for (const auto& [name, file] : files) {
    if (file->empty() || system.traits().has_gate) continue;
    throw UsageError(fmt::format("--{}: {} is not trained in rounds", name, system.name()),
                     "leave it out, or use megam");
  }
}

// Returns the bytes of "2G", "500M", "100K" or "12345".
std::uint64_t parse_size(const std::string& text) {
  static constexpr std::string_view kUnits = "KMGT";
  std::uint64_t size = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, size);
  const std::size_t unit = rest + 1 == end ? kUnits.find(*rest) : std::string_view::npos;
  const bool has_unit = unit != std::string_view::npos;
  const std::uint64_t scale = has_unit ? std::uint64_t{1} << (10 * (unit + 1)) : 1;
  if (error == std::errc() && (rest == end || has_unit) && size > 0 &&
      size <= std::numeric_limits<std::uint64_t>::max() / scale) {
    return size * scale;
  }
  throw UsageError(fmt::format("--memory-limit {}: this is not a size", text),
                   "give a number of bytes, or one such as 500M or 2G");
}

int train(TrainOptions& options, const CommonOptions& common) {
  const auto start = std::chrono::steady_clock::now();
  settle_options(options, common);
  refuse_unused(options);
  const std::uint64_t limit = options.memory_limit.empty()
                                  ? std::numeric_limits<std::uint64_t>::max()
                                  : parse_size(options.memory_limit);
  if (common.speaks()) check_model_output(options.output, common);
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  Dataset data = read_input(options.input, common, *common.ranks);
  refuse_memory(data, find_system(options.system), options.options, limit, *common.ranks);
  Summary summary;
  summary.examples = static_cast<std::size_t>(
      summed(*common.ranks, static_cast<double>(data.num_examples())));
  GracefulStop graceful;  // from here on, stopping must clean up
  const Model model = train_on(std::move(data), options, common, bar, summary);
  bar.clear();
  if (!common.speaks()) return kSuccess;
  save_model(model, options.output);
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report(options, common, model, summary);
  return kSuccess;
}

}  // namespace

void add_train(CLI::App& app, Context& context) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = new_command(
      app, "train", "Train a model on one or more domains",
      "megadapt train --system mix --domain out=news.txt.gz --domain in=calls.txt \\\n"
      "    --target in -o m.mega",
      context.common);
  command->footer(system_summaries() + "\n" + command->get_footer());
  add_input_options(*command, options->input);
  rare(add_unlabelled_files_option(*command, options->input));
  Section training(*command, "Training");
  options->command = command;
  add_system_option(training, options->system,
                    "How to use the domains (listed below); with --settings, the best "
                    "one by default")
      ->required(false);
  training.value("--settings", options->settings,
                 "Use the options that a comparison chose: a file of 'compare --json'",
                 "FILE");
  for (const auto& option : option_table()) {
    add_table_option(*command, option, options->options);
  }
  rare(training.value("--memory-limit", options->memory_limit,
                      "Stop before training if its estimated memory is above this limit, "
                      "such as 500M or 2G (default: no limit)",
                      "SIZE"));
  rare(command->get_option("--json"));
  Section mega(*command, option_table().find("rounds").group);
  rare(mega.value("--trace", options->trace,
                  "Write one JSON line per sub-step to this file, - for standard output",
                  "FILE"));
  rare(mega.value("--checkpoint", options->checkpoint,
                  "megam: save each round to this file, and continue from it if it exists",
                  "FILE"));
  Section(*command, "Output")
      .value("-o,--output", options->output, "The model file, - for standard output",
             "FILE")
      ->required();
  set_action(
      *command, context, options,
      [command](TrainOptions& typed, const CommonOptions& common) {
        typed.given = typed_options(*command);
        return train(typed, common);
      },
      true);
}

}  // namespace megadapt::cli
