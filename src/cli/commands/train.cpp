// megadapt train: rows of one or more domains in, a model file out.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/mega_options.hpp"
#include "cli/options/output_check.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/trace.hpp"
#include "execution/collectives.hpp"
#include "megadapt/systems.hpp"

namespace megadapt::cli {
namespace {

using Recorded = std::vector<std::pair<std::string, std::string>>;

struct TrainOptions {
  InputOptions input;
  std::string system;
  std::string optimizer = "newton-cg";
  AdaptationOptions adaptation;
  MegaArguments mega;
  double source_variance = 0;
  std::optional<double> interpolation;
  std::string source_features = "both";
  std::string output;
};

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const Adaptation* system : adaptations()) names.emplace_back(system->name());
  return names;
}

std::string system_summaries() {
  std::string out = "Systems:\n";
  for (const Adaptation* system : adaptations()) {
    out += fmt::format("  {:<10} {}\n", system->name(), system->summary());
  }
  return out;
}

SourceFeatures source_features(const std::string& name) {
  if (name == "labels") return SourceFeatures::labels;
  if (name == "probabilities") return SourceFeatures::probabilities;
  return SourceFeatures::both;
}

// In the order of --help.
Recorded recorded(const TrainOptions& options) {
  const AdaptationOptions& adaptation = options.adaptation;
  Recorded all = recorded_options(options.input);
  all.insert(all.end(), {{"variance", fmt::to_string(adaptation.variance)},
                         {"tolerance", fmt::to_string(adaptation.tolerance)},
                         {"optimizer", options.optimizer},
                         {"max-passes", fmt::to_string(adaptation.max_passes)},
                         {"out-weight", fmt::to_string(adaptation.out_weight)}});
  if (options.source_variance > 0) {
    all.emplace_back("source-variance", fmt::to_string(options.source_variance));
  }
  if (options.interpolation) {
    all.emplace_back("interpolation", fmt::to_string(*options.interpolation));
  }
  if (options.system == "feats") {
    all.emplace_back("source-features", options.source_features);
  }
  if (options.system == "lini" || options.system == "stack") {
    all.emplace_back("folds", fmt::to_string(adaptation.folds));
  }
  if (options.system == "easyadapt" && options.mega.specific_variance > 0) {
    all.emplace_back("specific-variance", fmt::to_string(options.mega.specific_variance));
  }
  const Recorded mega = recorded_options(options.mega);
  if (options.system.starts_with("mega")) all.insert(all.end(), mega.begin(), mega.end());
  return all;
}

/// How the fits went: the last one gives the model, all of them cost passes.
struct Summary {
  std::size_t examples = 0;
  double objective = 0;
  double gap = 0;
  int passes = 0;
  bool converged = true;
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
    common.note(
        "warning: stopped before the tolerance was reached (estimated gap {:.2g})\n"
        "fix: raise --max-passes or --tolerance; --strict makes this an error",
        summary.gap);
  }
  if (!common.json) {
    return common.note("{}: {}, {}, {}, objective {:.6g} after {} passes, {:.2f} s",
                       options.system, counted(summary.examples, "example"),
                       counted(model.features.size(), "feature"),
                       counted(model.labels.size(), "label"), summary.objective,
                       summary.passes, summary.seconds);
  }
  const nlohmann::ordered_json result = {
      {"system", options.system},          {"examples", summary.examples},
      {"features", model.features.size()}, {"labels", model.labels.size()},
      {"objective", summary.objective},    {"gap", summary.gap},
      {"passes", summary.passes},          {"converged", summary.converged},
      {"seconds", summary.seconds},        {"output", options.output}};
  AtomicFile out("-");
  out.write(result.dump(2) + "\n");
  out.commit();
}

Model train_on(Dataset data, const TrainOptions& options, const CommonOptions& common,
               ProgressBar& bar, Summary& summary) {
  const std::string target = chosen_target(options.input, data);
  Execution exec(common.threads, *common.ranks);
  exec.set_stop_flag(stop_flag());
  AdaptationOptions adaptation = options.adaptation;
  adaptation.optimizer =
      options.optimizer == "lbfgs" ? Optimizer::lbfgs : Optimizer::newton_cg;
  adaptation.seed = common.seed;
  adaptation.on_progress = [&bar](const Progress& progress) { bar.update(progress); };
  adaptation.on_fit = [&summary](const MaxentFit& fit) { summary.add(fit); };
  adaptation.mega = mega_options(options.mega);
  if (options.source_variance > 0) adaptation.source_variance = options.source_variance;
  adaptation.interpolation = options.interpolation;
  adaptation.source_features = source_features(options.source_features);
  if (options.mega.specific_variance > 0) {
    adaptation.specific_variance = options.mega.specific_variance;
  }
  std::optional<Trace> trace;
  if (!options.mega.trace.empty()) {
    if (common.speaks()) trace.emplace(options.mega.trace, data.domains().names());
    // On every rank: the objective of a step is a sum over all of them.
    adaptation.mega.on_step = [&](const MixtureStep& step) {
      if (trace) trace->add(step);
    };
  }
  common.detail("training on {} with {} on {}", counted(summary.examples, "example"),
                counted(static_cast<std::uint64_t>(exec.threads()), "thread"),
                counted(static_cast<std::uint64_t>(exec.ranks().size()), "rank"));
  Model model = train_model(std::move(data), options.system, target, adaptation,
                            recorded(options), exec);
  exec.throw_if_stopped();
  if (trace) trace->finish();
  return model;
}

int train(TrainOptions& options, const CommonOptions& common) {
  const auto start = std::chrono::steady_clock::now();
  if (common.speaks()) check_model_output(options.output, common);
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  Dataset data = read_input(options.input, common, *common.ranks);
  Summary summary;
  summary.examples = static_cast<std::size_t>(
      summed(*common.ranks, static_cast<double>(data.num_examples())));
  GracefulStop graceful;  // from here on there is something to clean up
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
  AdaptationOptions& adaptation = options->adaptation;
  const std::string group = "Training";
  restrict_to(command->add_option("-s,--system", options->system, "How to use the domains")
                  ->required()
                  ->group(group),
              system_names());
  command
      ->add_option(
          "--variance", adaptation.variance,
          "Prior variance sigma^2 of every weight; small values keep weights small")
      ->type_name("V")
      ->check(number_from(0, true))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--tolerance", adaptation.tolerance,
                   "Stop this close to the optimal objective, relative to it")
      ->type_name("E")
      ->check(number_from(0, true))
      ->capture_default_str()
      ->group(group);
  restrict_to(command->add_option("--optimizer", options->optimizer, "How to get there")
                  ->capture_default_str()
                  ->group(group),
              {"newton-cg", "lbfgs"});
  command
      ->add_option("--max-passes", adaptation.max_passes,
                   "Stop after this many passes over the data")
      ->type_name("N")
      ->check(number_from(1))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--out-weight", adaptation.out_weight,
                   "mixw: the weight of a row from another domain than the target; 0 makes "
                   "both sides weigh the same")
      ->type_name("W")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("--source-variance", options->source_variance,
                   "prior, feats, lini: prior variance of the source models; 0 means "
                   "--variance")
      ->type_name("V")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option(
          "--interpolation", options->interpolation,
          "lini: weight of the target's own model; by cross-validation if not given")
      ->type_name("W")
      ->check(number_from(0))
      ->group(group);
  restrict_to(
      command
          ->add_option("--source-features", options->source_features,
                       "feats: what of a source model's prediction becomes features")
          ->capture_default_str()
          ->group(group),
      {"labels", "probabilities", "both"});
  command
      ->add_option("--folds", adaptation.folds,
                   "lini, stack: parts that the target's rows are dealt into")
      ->type_name("K")
      ->check(number_from(2))
      ->capture_default_str()
      ->group(group);
  command
      ->add_flag(
          "--strict", adaptation.strict,
          "Fail with exit code 4 when --max-passes ends before --tolerance is reached")
      ->group(group);
  add_mega_options(*command, options->mega);
  command
      ->add_option("-o,--output", options->output, "The model file, - for standard output")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  command->callback([options, &context] {
    context.uses_ranks = true;
    context.action = [options, &context] { return train(*options, context.common); };
  });
}

}  // namespace megadapt::cli
