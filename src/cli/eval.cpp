// megadapt eval: how well a model does on labelled rows.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/eval_report.hpp"
#include "cli/eval_tagging.hpp"
#include "cli/exit_codes.hpp"
#include "cli/input_options.hpp"
#include "cli/row_pipeline.hpp"
#include "cli/row_predictor.hpp"
#include "cli/task_arguments.hpp"
#include "files/atomic_file.hpp"

namespace megadapt::cli {
namespace {

struct EvalOptions {
  std::string model;
  bool no_verify = false;
  std::string input = "-";
  std::string format;
  std::string output = "-";
  std::string as_domain;
  std::string columns;
  bool skip_bad = false;
};

Evaluation evaluate(const Model& model, const EvalOptions& options,
                    const CommonOptions& common) {
  const Execution exec(common.threads);
  const auto reader = open_rows(options.input, reading_for(model, options.format, true));
  RowPipeline pipeline(*reader, options.input, exec);
  std::vector<RowPredictor> predictors;
  for (std::size_t slot = 0; slot < pipeline.slots(); ++slot) {
    predictors.emplace_back(model, fallback_domain(model, options.as_domain));
  }

  Evaluator evaluator(model.labels);
  const std::size_t num_labels = model.labels.size();
  std::vector<std::vector<double>> probabilities(pipeline.slots());  // [rows][labels]
  pipeline.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        auto& all = probabilities[slot];
        all.clear();
        for (const Row& row : rows) {
          const auto p = predictors[slot].predict(row);
          all.insert(all.end(), p.begin(), p.end());
        }
      },
      [&](std::span<const Row> rows, std::size_t slot) {
        std::span<const double> all = probabilities[slot];
        for (const Row& row : rows) {
          evaluator.add(row.label, all.first(num_labels), row.group);
          all = all.subspan(num_labels);
        }
      },
      [] {});

  std::size_t unseen = 0;
  for (const RowPredictor& predictor : predictors) unseen += predictor.unseen();
  common.detail("{} not in the model and ignored", counted(unseen, "feature occurrence"));
  return evaluator.result(common.seed);
}

int eval(const EvalOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  AtomicFile out(options.output);
  if (!model.task_options.empty()) {
    const TaggingEvaluation result =
        evaluate_tagging(model,
                         {options.input, options.format, options.columns, options.as_domain,
                          options.skip_bad},
                         common);
    out.write(common.json ? tagging_json(result).dump(2) + "\n" : tagging_text(result));
    out.commit();
    return kSuccess;
  }
  const Evaluation result = evaluate(model, options, common);
  out.write(common.json ? evaluation_json(result).dump(2) + "\n" : evaluation_text(result));
  out.commit();
  return kSuccess;
}

}  // namespace

void add_eval(CLI::App& app, Context& context) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      new_command(app, "eval", "Compare a model's labels with the true ones",
                  "megadapt eval m.mega test.txt --json", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  command->add_option("INPUT", options->input, "Labelled rows, - for standard input")
      ->type_name("FILE")
      ->capture_default_str();
  add_format_option(*command, options->format);
  command
      ->add_option("--as-domain", options->as_domain,
                   "Domain of rows that name none the model knows; else the target")
      ->type_name("NAME")
      ->group("Input");
  command
      ->add_option("--columns", options->columns,
                   "Model of a task: what the columns of this file hold, where it differs "
                   "from training")
      ->type_name("LIST")
      ->group("Input");
  add_skip_bad_option(*command, options->skip_bad);
  command
      ->add_option("-o,--output", options->output, "Where to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  command->callback([options, &context] {
    context.action = [options, &context] { return eval(*options, context.common); };
  });
}

}  // namespace megadapt::cli
