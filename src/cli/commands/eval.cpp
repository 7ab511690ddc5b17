// megadapt eval: how well a model does on labelled rows.

#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/row_options.hpp"
#include "cli/text/reports.hpp"
#include "evaluation/scores/score_sentences.hpp"
#include "results/reliability.hpp"

namespace megadapt::cli {
namespace {

struct EvalOptions : ModelRowOptions {
  std::string map_labels;
  std::string columns;
  bool skip_bad = false;
  bool store = false;
};

/// An evaluation as JSON and as text, and the digest of the evaluated file.
struct Evaluated {
  nlohmann::ordered_json json;
  std::string text;
  std::string sha256;  ///< digest of the file
};

Evaluated evaluate(const Classifier& classifier, const EvalOptions& options,
                   const CommonOptions& common) {
  const Execution exec(common.threads);
  std::optional<LabelMap> labels = read_label_map(options.map_labels);
  OpenOptions open = opening(classifier, options);
  open.label_map = labels ? &*labels : nullptr;
  RowStream rows_of_file(classifier, options.input, open, exec);
  Evaluator evaluator(classifier.labels());
  ReliabilityCounter reliability;
  const std::size_t num_labels = classifier.labels().size();
  std::vector<std::vector<double>> probabilities(rows_of_file.slots());  // [rows][labels]
  rows_of_file.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        auto& all = probabilities[slot];
        all.clear();
        for (const Row& row : rows) {
          const auto p = rows_of_file.worker(slot).predict(row);
          all.insert(all.end(), p.begin(), p.end());
        }
      },
      [&](std::span<const Row> rows, std::size_t slot) {
        std::span<const double> all = probabilities[slot];
        for (const Row& row : rows) {
          const auto p = all.first(num_labels);
          const std::size_t best = most_probable(p);
          evaluator.add(row.label, p, row.group);
          reliability.add(p[best], classifier.labels()[best] == row.label);
          all = all.subspan(num_labels);
        }
      });
  warn_of_unknown_domains(rows_of_file, classifier, options, common);
  tell_unseen(rows_of_file.unseen(), common);
  // The map may have been made for training, so rules for other domains are not a mistake.
  if (labels) {
    warn_of_unused(labels->unused(true), labels->dropped(), options.map_labels, common);
  }
  const Evaluation result = evaluator.result(common.seed);
  common.warn(unknown_labels_warning(result, options.input));
  const Reliability reliable = reliability.result();
  Evaluated evaluated{evaluation_json(result), evaluation_text(result, reliable),
                      rows_of_file.reader().sha256()};
  evaluated.json["reliability"] = reliability_json(reliable);
  return evaluated;
}

Evaluated evaluate_task(const Tagger& tagger, const EvalOptions& options,
                        const CommonOptions& common) {
  refuse_label_map(options.map_labels);
  OpenOptions open = opening(tagger, options);
  open.columns = options.columns;
  open.skip_bad = options.skip_bad;
  const Execution exec(common.threads);
  SentenceStream stream(tagger, options.input, open, exec);
  ReliabilityCounter reliability;
  const TaggingEvaluation result =
      score_sentences(tagger, stream, common.seed, reliability);
  tell_unseen(stream.unseen(), common);
  common.warn(unknown_labels_warning(result.tokens, options.input));
  if (stream.reader().skipped() > 0) {
    common.note("{} left out", counted(stream.reader().skipped(), "bad sentence"));
  }
  const Reliability reliable = reliability.result();
  Evaluated evaluated{tagging_json(result), tagging_text(result, reliable),
                      stream.reader().sha256()};
  evaluated.json["reliability"] = reliability_json(reliable);
  return evaluated;
}

// Stores the evaluation in the model, for `inspect`, without labels and confusion.
void keep_evaluation(const Evaluated& evaluated, const EvalOptions& options, Model& model) {
  nlohmann::ordered_json kept = evaluated.json;
  kept.erase("labels");
  kept.erase("confusion");
  kept.erase("warnings");
  kept["data"] = {
      {"file", options.input}, {"sha256", evaluated.sha256}, {"rows", kept["examples"]}};
  model.evaluation = json_text(kept);
  save_model(model, options.model);
}

int eval(EvalOptions& options, const CommonOptions& common) {
  options.digest = true;  // to tell whether this is a training file
  if (options.store && options.model == "-") {
    throw UsageError("--store: there is no file to write to",
                     "give the model as a file instead of standard input");
  }
  const auto model = std::make_shared<Model>(load_model(options.model, !options.no_verify));
  AtomicFile out(options.output);
  Evaluated evaluated = model->recipe->task ? evaluate_task(Tagger(model), options, common)
                                            : evaluate(Classifier(model), options, common);
  common.warn(training_file_warning(model->info, options.input, evaluated.sha256, "test"));
  common.add_warnings(evaluated.json);
  out.write(common.json ? json_text(evaluated.json, 2) + "\n" : printable(evaluated.text));
  out.commit();
  if (options.store) keep_evaluation(evaluated, options, *model);
  return kSuccess;
}

}  // namespace

void add_eval(CLI::App& app, Context& context) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      new_command(app, "eval", "Measure how well a model predicts labelled rows",
                  "megadapt eval m.mega test.txt --json", context.common);
  add_model_row_options(*command, *options, "Labelled rows");
  add_map_labels_option(*command, options->map_labels);
  Section(*command, "Input")
      .value("--columns", options->columns,
             "Task models: contents of the columns of this file, if they differ from "
             "training",
             "LIST");
  add_skip_bad_option(*command, options->skip_bad);
  add_output_option(*command, options->output);
  Section(*command, "Output")
      .flag("--store", options->store,
            "Store the result in the model file, where 'megadapt inspect' shows it");
  set_action(*command, context, options, eval);
}

}  // namespace megadapt::cli
