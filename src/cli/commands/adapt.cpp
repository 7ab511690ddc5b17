// megadapt adapt: an old model and rows of a new domain in, a new model out.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "adapt/continuation.hpp"
#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "base/sha256.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/label_map_option.hpp"
#include "cli/options/output_check.hpp"
#include "cli/text/progress_bar.hpp"
#include "models/model_over.hpp"

namespace megadapt::cli {
namespace {

struct AdaptOptions {
  std::string model;
  bool no_verify = false;
  std::vector<std::string> domains;
  std::string format;
  std::string map_labels;
  std::string source_features = "both";
  ContinuationOptions continuation;
  std::string output;
};

// The model together with the digest of its file, which the new one remembers.
Model load_former(AdaptOptions& options) {
  const auto file = std::make_shared<const MappedFile>(options.model);
  Model model =
      model_over(file->bytes(), options.model == "-" ? "standard input" : options.model,
                 !options.no_verify);
  model.storage = file;
  corpus::Sha256 digest;
  digest.add(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  options.continuation.former_file = options.model;
  options.continuation.former_sha256 = digest.finish();
  return model;
}

Dataset read_new_rows(const AdaptOptions& options, const Model& former,
                      const CommonOptions& common) {
  const std::vector<DomainFile> files = domain_files(options.domains);
  Recipe recipe{.format = chosen_format(options.format)};
  if (const auto labels = read_label_map(options.map_labels)) {
    recipe.label_map = labels->rules();
    recipe.label_map_file = options.map_labels;
  }
  ReadNotes notes;
  Dataset data = read_for_continuation(former, files, recipe, {.notes = &notes});
  if (!options.map_labels.empty()) {
    warn_of_unused(notes.unused_rules, notes.dropped_rows, options.map_labels, common);
  }
  return data;
}

std::string shown_score(const ContinuationScore& score) {
  if (!score.left_out.empty()) {
    return fmt::format("{:<8} left out: {}\n", score.system, score.left_out);
  }
  const std::string variance =
      score.variance > 0 ? fmt::format("{}", score.variance) : std::string("-");
  return fmt::format("{:<8} {:>8.1f}% {:>8.1f}% {:>9.4f} {:>9}\n", score.system,
                     100 * score.held_out.accuracy, 100 * score.held_out.f1,
                     score.held_out.log_loss, variance);
}

std::string gain_text(const Continuation& next) {
  const Evaluation& adapted = next.score(next.system).held_out;
  const Evaluation& own = next.score("onlyi").held_out;
  const double gain = adapted.accuracy - own.accuracy;
  return fmt::format(
      "{}: {:.1f}% of {} right, {:.1f} points {} than onlyi; log loss {:.4f} against "
      "{:.4f}",
      next.system, 100 * adapted.accuracy, counted(next.held_out, "held-out row"),
      100 * std::abs(gain), gain >= 0 ? "more" : "fewer", adapted.log_loss, own.log_loss);
}

void warn_of_surprises(const Continuation& next, const CommonOptions& common) {
  if (!next.new_labels.empty()) {
    common.note("{} the old model does not know, to which it gives no probability: {}",
                counted(next.new_labels.size(), "label"), fmt::join(next.new_labels, " "));
  }
  if (next.held_out == 0) {
    return common.note("warning: too few rows to hold any out: the gain is not known");
  }
  if (next.score(next.system).held_out.log_loss >= next.score("onlyi").held_out.log_loss) {
    common.note(
        "warning: onlyi predicts held-out rows as well: the old model does not help");
  }
}

nlohmann::ordered_json score_json(const ContinuationScore& score) {
  if (!score.left_out.empty()) {
    return {{"name", score.system}, {"left_out", score.left_out}};
  }
  nlohmann::ordered_json out = {{"name", score.system},
                                {"accuracy", score.held_out.accuracy},
                                {"log_loss", score.held_out.log_loss},
                                {"f1", score.held_out.f1},
                                {"interval", score.held_out.interval}};
  if (score.variance > 0) out["variance"] = score.variance;
  return out;
}

nlohmann::ordered_json continuation_json(const Continuation& next, std::size_t examples,
                                         const std::string& output) {
  nlohmann::ordered_json out = {{"system", next.system},
                                {"variance", next.variance},
                                {"examples", examples},
                                {"held_out", next.held_out},
                                {"new_features", next.new_features},
                                {"new_labels", next.new_labels},
                                {"systems", nlohmann::ordered_json::array()},
                                {"gain", nullptr},
                                {"output", output}};
  if (next.interpolation) out["interpolation"] = *next.interpolation;
  if (next.held_out == 0) return out;
  for (const ContinuationScore& score : next.scores) {
    out["systems"].push_back(score_json(score));
  }
  const Evaluation& adapted = next.score(next.system).held_out;
  const Evaluation& own = next.score("onlyi").held_out;
  out["gain"] = {{"accuracy", adapted.accuracy - own.accuracy},
                 {"log_loss", own.log_loss - adapted.log_loss}};
  return out;
}

std::string continuation_text(const Continuation& next) {
  if (next.held_out == 0) return {};
  std::string out = fmt::format("{:<8} {:>9} {:>9} {:>9} {:>9}\n", "system", "accuracy",
                                "F1", "log loss", "variance");
  for (const ContinuationScore& score : next.scores) out += shown_score(score);
  return out + "\n" + gain_text(next) + "\n";
}

int adapt(AdaptOptions& options, const CommonOptions& common) {
  check_model_output(options.output, common);
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  Model former = load_former(options);
  Dataset data = read_new_rows(options, former, common);
  const std::size_t examples = data.num_examples();
  GracefulStop graceful;
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  options.continuation.seed = common.seed;
  Options named;
  set_option(named, "source-features", options.source_features);
  options.continuation.source_features = named.source_features;
  options.continuation.on_progress = [&bar](const Progress& progress) {
    bar.update(progress);
  };
  const Continuation next =
      continue_model(std::move(former), std::move(data), options.continuation, exec);
  bar.clear();
  save_model(next.model, options.output);
  warn_of_surprises(next, common);
  if (options.output == "-") {  // the model is there
    common.note("{}", gain_text(next));
    return kSuccess;
  }
  AtomicFile out("-");
  out.write(common.json ? continuation_json(next, examples, options.output).dump(2) + "\n"
                        : continuation_text(next));
  out.commit();
  return kSuccess;
}

}  // namespace

void add_adapt(CLI::App& app, Context& context) {
  auto options = std::make_shared<AdaptOptions>();
  CLI::App* command = new_command(
      app, "adapt", "Adapt a model to a new domain without its training data",
      "megadapt adapt old.mega --domain in=new.txt -o new.mega", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  command
      ->add_option("-d,--domain", options->domains,
                   "Labelled rows of the new domain; repeat for more files, - is standard "
                   "input")
      ->type_name("NAME=FILE")
      ->required()
      ->allow_extra_args(false)
      ->group("Input");
  add_format_option(*command, options->format);
  add_map_labels_option(*command, options->map_labels);
  ContinuationOptions& continuation = options->continuation;
  const std::string group = "Adapting";
  command
      ->add_option("-s,--system", continuation.system,
                   "prior, feats or lini; else the one that predicts held-out rows best")
      ->type_name("NAME")
      ->group(group);
  command
      ->add_option(
          "--variance", continuation.variance,
          "Prior variance of the new weights; chosen on held-out rows if not given")
      ->type_name("V")
      ->check(number_from(0, true))
      ->group(group);
  command
      ->add_option("--interpolation", continuation.interpolation,
                   "lini: weight of the new rows' own model; fitted if not given")
      ->type_name("W")
      ->check(number_from(0))
      ->group(group);
  restrict_to(command
                  ->add_option("--source-features", options->source_features,
                               "feats: what of the old model's prediction becomes features")
                  ->capture_default_str()
                  ->group(group),
              {"labels", "probabilities", "both"});
  command
      ->add_option("--tolerance", continuation.tolerance,
                   "Stop this close to the optimal objective, relative to it")
      ->type_name("E")
      ->check(number_from(0, true))
      ->capture_default_str()
      ->group(group);
  command
      ->add_option("-o,--output", options->output,
                   "The new model file, - for standard output")
      ->type_name("FILE")
      ->required()
      ->group("Output");
  command->callback([options, &context] {
    context.action = [options, &context] { return adapt(*options, context.common); };
  });
}

}  // namespace megadapt::cli
