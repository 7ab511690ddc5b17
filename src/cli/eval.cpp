// megadapt eval: how well a model does on labelled rows.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.hpp"
#include "cli/eval_report.hpp"
#include "cli/exit_codes.hpp"
#include "cli/label_map_option.hpp"
#include "cli/row_options.hpp"
#include "files/atomic_file.hpp"

namespace megadapt::cli {
namespace {

struct EvalOptions : ModelRowOptions {
  std::string map_labels;
};

Evaluation evaluate(const Model& model, const EvalOptions& options,
                    const CommonOptions& common) {
  const Execution exec(common.threads);
  std::optional<LabelMap> labels = read_label_map(options.map_labels);
  ModelRows rows_of_file(model, options, exec, labels ? &*labels : nullptr);
  Evaluator evaluator(model.labels);
  const std::size_t num_labels = model.labels.size();
  std::vector<std::vector<double>> probabilities(rows_of_file.slots());  // [rows][labels]
  rows_of_file.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        auto& all = probabilities[slot];
        all.clear();
        for (const Row& row : rows) {
          const auto p = rows_of_file.predictor(slot).predict(row);
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
      [] {}, common);
  // A map made for training has rules for domains that are not evaluated.
  if (labels) warn_of_unused(*labels, options.map_labels, true, common);
  return evaluator.result(common.seed);
}

int eval(const EvalOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  AtomicFile out(options.output);
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
  add_model_row_options(*command, *options, "Labelled rows");
  add_map_labels_option(*command, options->map_labels);
  add_output_option(*command, *options);
  command->callback([options, &context] {
    context.action = [options, &context] { return eval(*options, context.common); };
  });
}

}  // namespace megadapt::cli
