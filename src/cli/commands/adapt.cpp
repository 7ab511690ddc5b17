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
#include "cli/options/row_options.hpp"
#include "cli/options/section.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/reports.hpp"
#include "megadapt/diff.hpp"
#include "models/model_over.hpp"
#include "systems/options.hpp"

namespace megadapt::cli {
namespace {

struct AdaptCommand {
  std::string model;
  bool no_verify = false;
  std::vector<std::string> domains;
  std::string format;
  std::string columns;
  std::string map_labels;
  RecipeOptions reading;  // only its column_names
  AdaptOptions adapting;
  std::string old_test;
  bool force = false;
  std::string output;
  bool seen = false;  // whether the old model was trained on some of the new rows
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

// As the old model's files are read, unless --format or --columns say otherwise.
TaskOptions reading_of_task(TaskOptions task, const AdaptCommand& options) {
  const SentenceFormat known = task.format;
  if (!options.format.empty()) task.format = parse_sentence_format(options.format);
  if (task.format != known) task.columns = {};
  if (!options.columns.empty()) task.columns = ColumnChoice::parse(options.columns);
  return task;
}

// Reads the rows to adapt to; notes in `options` whether the old model has seen them.
Dataset read_new_rows(AdaptCommand& options, const Model& former,
                      const CommonOptions& common) {
  const std::vector<DomainFile> files = domain_files(options.domains);
  Recipe recipe;
  if (former.recipe->task) {
    refuse_label_map(options.map_labels);
    refuse_row_columns(options.reading.column_names);
    recipe.task = reading_of_task(*former.recipe->task, options);
  } else {
    recipe.format = chosen_format(options.format);
    recipe.columns = options.reading.column_names;
  }
  if (const auto labels = read_label_map(options.map_labels)) {
    recipe.label_map = labels->rules();
    recipe.label_map_file = options.map_labels;
  }
  ReadNotes notes;
  Dataset data = read_for_adapting(former, files, recipe, {.notes = &notes});
  if (!options.map_labels.empty()) {
    warn_of_unused(notes.unused_rules, notes.dropped_rows, options.map_labels, common);
  }
  for (const SourceFile& file : data.sources) {
    const auto known = training_file_warning(former.info, file.file, file.sha256, "adapt");
    options.seen |= known.has_value();
    common.warn(known);
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
    return beside(fmt::format("{:<8} left out: ", score.system), score.left_out);
  }
  const std::string variance = variance_of(score).value_or("-");
  return fmt::format("{:<8} {:>8.1f}% {:>8.1f}% {:>9.4f} {:>9}\n", score.system,
                     100 * score.held_out.accuracy, 100 * score.held_out.f1,
                     score.held_out.log_loss, variance);
}

std::string gain_text(const Adapted& next, const AdaptCommand& options) {
  const Evaluation& adapted = next.score(next.system).held_out;
  const Evaluation& old = next.former().held_out;
  const Evaluation& own = next.own_rows().held_out;
  const std::string right =
      fmt::format("{}: {:.1f}% of {} right", next.system, 100 * adapted.accuracy,
                  counted(next.held_out, "held-out row"));
  if (options.seen) {
    return right +
           ", which says nothing about new rows: the old model was trained on these. Adapt "
           "it to rows that it has not seen.";
  }
  return fmt::format(
      "{}; the old model has {:.1f}%, and {}, trained on the new rows alone, {:.1f}%. Log "
      "loss {:.4f}, {:.4f} and {:.4f}.",
      right, 100 * old.accuracy, next.own_rows().system, 100 * own.accuracy,
      adapted.log_loss, old.log_loss, own.log_loss);
}

void warn_of_surprises(const Adapted& next, const CommonOptions& common) {
  if (!next.new_labels.empty()) {
    common.note("{} unknown to the old model, which gives them no probability: {}",
                counted(next.new_labels.size(), "label"), fmt::join(next.new_labels, " "));
  }
  if (next.held_out == 0) {
    return common.warn(Warning{"too-few-rows",
                               "too few rows to hold some out, so the gain is unknown",
                               "give more labelled rows, or rows of more groups"});
  }
  if (next.keep_old()) return;  // told below
  if (next.score(next.system).held_out.log_loss >= next.own_rows().held_out.log_loss) {
    common.warn(Warning{
        "no-gain",
        fmt::format("{} predicts held-out rows no worse: the old model does not help",
                    next.own_rows().system),
        fmt::format("train on the new rows alone: megadapt train --system {}",
                    next.own_rows().system)});
  }
}

std::string keep_text(const Adapted& next, const AdaptCommand& options) {
  const Evaluation& adapted = next.score(next.system).held_out;
  const Evaluation& old = next.former().held_out;
  return fmt::format(
      "Keep the old model: {:.1f}% of {} right, {:.1f}% by {}; log loss {:.4f} against "
      "{:.4f}. {}",
      100 * old.accuracy, counted(next.held_out, "held-out row"), 100 * adapted.accuracy,
      next.system, old.log_loss, adapted.log_loss,
      options.force ? "--force writes the new one."
                    : fmt::format("{} is not written (--force writes it).",
                                  options.output == "-" ? "The new one" : options.output));
}

/// What the change costs on rows of the old domain, by --old-test.
std::optional<ModelDiff> old_domain_diff(const Adapted& next, const AdaptCommand& options,
                                         const CommonOptions& common) {
  if (options.old_test.empty()) return std::nullopt;
  const Model old = load_model(options.model, !options.no_verify);
  const ModelDiff diff = diff_models(old, next.model, options.old_test,
                                     {.before_domain = old.info.target,
                                      .after_domain = old.info.target,
                                      .seed = common.seed});
  common.warn(training_file_warning(old.info, options.old_test, diff.sha256, "test"));
  return diff;
}

std::string old_domain_text(const ModelDiff& diff, const std::string& file) {
  return fmt::format(
      "{}: the old model has {:.1f}% of {} right, the new one {:.1f}%; won {}, lost {} "
      "(McNemar p = {:.3g})",
      file, 100 * diff.before.accuracy, counted(diff.rows, "row"),
      100 * diff.after.accuracy, diff.won.size(), diff.lost.size(), diff.test.p);
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
                                    const AdaptCommand& options) {
  nlohmann::ordered_json out = {{"system", next.system},
                                {"variance", next.options.variance},
                                {"examples", examples},
                                {"held_out", next.held_out},
                                {"new_features", next.new_features},
                                {"new_labels", next.new_labels},
                                {"systems", nlohmann::ordered_json::array()},
                                {"gain", nullptr},
                                {"keep_old", next.keep_old()},
                                {"output", nullptr}};
  if (!next.keep_old() || options.force) out["output"] = options.output;
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

nlohmann::ordered_json old_domain_json(const ModelDiff& diff) {
  return {{"rows", diff.rows},
          {"before", diff.before.accuracy},
          {"after", diff.after.accuracy},
          {"won", diff.won.size()},
          {"lost", diff.lost.size()},
          {"p", diff.test.p}};
}

std::string adapted_text(const Adapted& next, const AdaptCommand& options) {
  if (next.held_out == 0) return {};
  std::string out = fmt::format("{:<8} {:>9} {:>9} {:>9} {:>9}\n", "system", "accuracy",
                                "F1", "log loss", "variance");
  for (const AdaptScore& score : next.scores) out += shown_score(score);
  out += "former is the old model as it is.\n\n" + wrapped(gain_text(next, options));
  return next.keep_old() ? out + wrapped(keep_text(next, options)) : out;
}

int report_adapted(const Adapted& next, std::size_t examples, const AdaptCommand& options,
                   const CommonOptions& common) {
  const std::optional<ModelDiff> old_domain = old_domain_diff(next, options, common);
  if (options.output == "-" && !common.json) {  // standard output has the model
    if (next.held_out > 0) common.note("{}", gain_text(next, options));
    if (next.keep_old()) common.note("{}", keep_text(next, options));
    if (old_domain) common.note("{}", old_domain_text(*old_domain, options.old_test));
    return kSuccess;
  }
  auto json = adapted_json(next, examples, options);
  if (old_domain) json["old_test"] = old_domain_json(*old_domain);
  common.add_warnings(json);
  std::string text = adapted_text(next, options);
  if (old_domain) text += wrapped(old_domain_text(*old_domain, options.old_test));
  return print(common.json ? json_text(json, 2) + "\n" : printable(text));
}

// Rows to test on are read by both models, and the old model is read again to test it.
void refuse_repeated_input(const AdaptCommand& options) {
  if (options.old_test.empty()) return;
  if (options.model != "-" && options.old_test != "-") return;
  throw UsageError(
      "--old-test needs the old model and the rows twice, so neither may be "
      "standard input",
      "give files");
}

int adapt(AdaptCommand& options, const CommonOptions& common) {
  check_model_output(options.output, common);
  refuse_repeated_input(options);
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
  warn_of_surprises(next, common);
  if (!next.keep_old() || options.force) save_model(next.model, options.output);
  return report_adapted(next, examples, options, common);
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
  Section(*command, "Input")
      .value("--columns", options->columns,
             "Task models: contents of the columns of this file, if they differ from "
             "training",
             "LIST");
  add_map_labels_option(*command, options->map_labels);
  add_column_name_options(*command, options->reading);
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
  Section output(*command, "Output");
  output
      .value("-o,--output", options->output, "The new model file, - for standard output",
             "FILE")
      ->required();
  output.flag("--force", options->force,
              "Write the new model even if the old one is better on held-out rows");
  output.value("--old-test", options->old_test,
               "Labelled rows of the old domain; reports how well the new model does there",
               "FILE");
  set_action(*command, context, options,
             [command](AdaptCommand& typed, const auto& common) {
               typed.adapting.fixed = typed_options(*command);
               return adapt(typed, common);
             });
}

}  // namespace megadapt::cli
