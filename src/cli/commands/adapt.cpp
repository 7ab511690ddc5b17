// megadapt adapt: reads an old model and rows of a new domain, writes a new model.

#include "megadapt/adapt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/mapped_file.hpp"
#include "base/sha256.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/section.hpp"
#include "cli/text/progress_bar.hpp"
#include "models/model_over.hpp"
#include "systems/options.hpp"

namespace megadapt::cli {
namespace {

struct AdaptCommand {
  std::string model;
  bool no_verify = false;
  std::vector<std::string> domains;
  std::string format;
  std::string map_labels;
  AdaptOptions adapting;
  std::string output;
};

// Loads the model and notes the digest of its file, which the new model records.
Model load_former(AdaptCommand& options) {
  const auto file = std::make_shared<const MappedFile>(options.model);
  Model model =
      model_over(file->bytes(), options.model == "-" ? "standard input" : options.model,
                 !options.no_verify);
  model.storage = file;
  corpus::Sha256 digest;
  digest.add(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  options.adapting.former_file = options.model;
  options.adapting.former_sha256 = digest.finish();
  return model;
}

Dataset read_new_rows(const AdaptCommand& options, const Model& former,
                      const CommonOptions& common) {
  const std::vector<DomainFile> files = domain_files(options.domains);
  Recipe recipe{.format = chosen_format(options.format)};
  if (const auto labels = read_label_map(options.map_labels)) {
    recipe.label_map = labels->rules();
    recipe.label_map_file = options.map_labels;
  }
  ReadNotes notes;
  Dataset data = read_for_adapting(former, files, recipe, {.notes = &notes});
  if (!options.map_labels.empty()) {
    warn_of_unused(notes.unused_rules, notes.dropped_rows, options.map_labels, common);
  }
  return data;
}

/// Returns the variance chosen for a system; nothing if it was given or there is none.
std::optional<std::string> variance_of(const AdaptScore& score) {
  for (const auto& [name, value] : score.settings) {
    if (name == "variance") return value;
  }
  return std::nullopt;
}

std::string shown_score(const AdaptScore& score) {
  if (!score.left_out.empty()) {
    return fmt::format("{:<8} left out: {}\n", score.system, score.left_out);
  }
  const std::string variance = variance_of(score).value_or("-");
  return fmt::format("{:<8} {:>8.1f}% {:>8.1f}% {:>9.4f} {:>9}\n", score.system,
                     100 * score.held_out.accuracy, 100 * score.held_out.f1,
                     score.held_out.log_loss, variance);
}

std::string gain_text(const Adapted& next) {
  const Evaluation& adapted = next.score(next.system).held_out;
  const Evaluation& own = next.own_rows().held_out;
  const double gain = adapted.accuracy - own.accuracy;
  return fmt::format(
      "{}: {:.1f}% of {} right, {:.1f} points {} than {}; log loss {:.4f} against "
      "{:.4f}",
      next.system, 100 * adapted.accuracy, counted(next.held_out, "held-out row"),
      100 * std::abs(gain), gain >= 0 ? "more" : "fewer", next.own_rows().system,
      adapted.log_loss, own.log_loss);
}

void warn_of_surprises(const Adapted& next, const CommonOptions& common) {
  if (!next.new_labels.empty()) {
    common.note("{} unknown to the old model, which gives them no probability: {}",
                counted(next.new_labels.size(), "label"), fmt::join(next.new_labels, " "));
  }
  if (next.held_out == 0) {
    return common.note("warning: too few rows to hold some out, so the gain is unknown");
  }
  if (next.score(next.system).held_out.log_loss >= next.own_rows().held_out.log_loss) {
    common.note("warning: {} predicts held-out rows no worse: the old model does not help",
                next.own_rows().system);
  }
}

nlohmann::ordered_json score_json(const AdaptScore& score) {
  if (!score.left_out.empty()) {
    return {{"name", score.system}, {"left_out", score.left_out}};
  }
  nlohmann::ordered_json out = {{"name", score.system},
                                {"accuracy", score.held_out.accuracy},
                                {"log_loss", score.held_out.log_loss},
                                {"f1", score.held_out.f1},
                                {"interval", score.held_out.interval}};
  if (const auto variance = variance_of(score)) out["variance"] = std::stod(*variance);
  return out;
}

nlohmann::ordered_json adapted_json(const Adapted& next, std::size_t examples,
                                    const std::string& output) {
  nlohmann::ordered_json out = {{"system", next.system},
                                {"variance", next.options.variance},
                                {"examples", examples},
                                {"held_out", next.held_out},
                                {"new_features", next.new_features},
                                {"new_labels", next.new_labels},
                                {"systems", nlohmann::ordered_json::array()},
                                {"gain", nullptr},
                                {"output", output}};
  if (next.interpolation) out["interpolation"] = *next.interpolation;
  if (next.held_out == 0) return out;
  for (const AdaptScore& score : next.scores) {
    out["systems"].push_back(score_json(score));
  }
  const Evaluation& adapted = next.score(next.system).held_out;
  const Evaluation& own = next.own_rows().held_out;
  out["gain"] = {{"accuracy", adapted.accuracy - own.accuracy},
                 {"log_loss", own.log_loss - adapted.log_loss}};
  return out;
}

std::string adapted_text(const Adapted& next) {
  if (next.held_out == 0) return {};
  std::string out = fmt::format("{:<8} {:>9} {:>9} {:>9} {:>9}\n", "system", "accuracy",
                                "F1", "log loss", "variance");
  for (const AdaptScore& score : next.scores) out += shown_score(score);
  return out + "\n" + gain_text(next) + "\n";
}

int adapt(AdaptCommand& options, const CommonOptions& common) {
  check_model_output(options.output, common);
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  Model former = load_former(options);
  Dataset data = read_new_rows(options, former, common);
  const std::size_t examples = data.num_examples();
  const StoppableExecution exec(common.threads);
  options.adapting.base.seed = common.seed;
  options.adapting.on_progress = [&bar](const Progress& progress) { bar.update(progress); };
  const Adapted next =
      adapt_model(std::move(former), std::move(data), options.adapting, exec);
  bar.clear();
  save_model(next.model, options.output);
  warn_of_surprises(next, common);
  if (options.output == "-") {  // standard output has the model
    common.note("{}", gain_text(next));
    return kSuccess;
  }
  return print(common.json
                   ? json_text(adapted_json(next, examples, options.output), 2) + "\n"
                   : printable(adapted_text(next)));
}

}  // namespace

void add_adapt(CLI::App& app, Context& context) {
  auto options = std::make_shared<AdaptCommand>();
  CLI::App* command = new_command(
      app, "adapt", "Adapt a model to a new domain without its training data",
      "megadapt adapt old.mega --domain in=new.txt -o new.mega", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  add_domain_option(*command, options->domains,
                    "Labelled rows of the new domain; repeatable; - for standard input");
  add_format_option(*command, options->format);
  add_map_labels_option(*command, options->map_labels);
  AdaptOptions& adapting = options->adapting;
  const std::string group = "Adapting";
  Section(*command, group)
      .value("-s,--system", adapting.system,
             "prior, feats or lini (default: the best one on held-out rows)", "NAME");
  for (const char* name : {"variance", "prior-exponent", "interpolation", "source-features",
                           "tolerance", "max-passes"}) {
    add_table_option(*command, option_table().find(name), adapting.base)->group(group);
  }
  const std::pair<const char*, const char*> chosen[] = {
      {"--variance",
       "Prior variance of the new weights (default: chosen on held-out rows)"},
      {"--prior-exponent",
       "Scale each weight's prior precision by (1 + information about it)^A "
       "(default: chosen on held-out rows)"}};
  for (const auto& [name, help] : chosen) {
    command->get_option(name)->description(help)->default_str("");
  }
  Section(*command, "Output")
      .value("-o,--output", options->output, "The new model file, - for standard output",
             "FILE")
      ->required();
  set_action(*command, context, options,
             [command](AdaptCommand& typed, const auto& common) {
               typed.adapting.fixed = typed_options(*command);
               return adapt(typed, common);
             });
}

}  // namespace megadapt::cli
