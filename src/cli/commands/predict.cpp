// megadapt predict: rows in, one line per row out.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/row_options.hpp"
#include "cli/streaming/predict_task.hpp"
#include "explanation/prediction_json.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt::cli {
namespace {

struct PredictOptions : ModelRowOptions {
  bool probabilities = false;
  bool header = false;
  bool gate = false;
};

/// Writes the line of one row at the end of a buffer.
class LineWriter {
 public:
  LineWriter(const Model& model, const PredictOptions& options, bool json)
      : labels_(model.labels), options_(options), as_json_(json), json_(model.labels) {}

  std::string header() const {
    std::string line = "label";
    if (options_.probabilities) {
      for (const std::string& label : labels_) line += "\t" + label;
    }
    return line + (options_.gate ? "\tgeneral\n" : "\n");
  }

  void write(std::span<const double> probability, std::optional<double> general,
             std::string_view id, std::string& out) const {
    write(Evaluator::predicted(probability), probability, general, id, out);
  }

  void write(std::size_t best, std::span<const double> probability,
             std::optional<double> general, std::string_view id, std::string& out) const {
    if (!as_json_) return write_text(best, probability, general, out);
    json_.append(best, probability, general, id, out);
    out += '\n';
  }

 private:
  void write_text(std::size_t best, std::span<const double> probability,
                  std::optional<double> general, std::string& out) const {
    out += labels_[best];
    if (options_.probabilities) {
      for (const double p : probability) append(out, "\t{:.6g}", p);
    }
    if (options_.gate) append(out, "\t{:.6g}", general.value_or(0));
    out += '\n';
  }

  template <class... Args>
  static void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  }

  const std::vector<std::string>& labels_;
  const PredictOptions& options_;
  bool as_json_;
  PredictionJson json_;
};

void predict_rows(const Model& model, const PredictOptions& options,
                  const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  ModelRows rows_of_file(model, options, exec);
  const LineWriter writer(model, options, common.json);
  const bool wants_general = options.gate || (common.json && has_gate(model));
  std::vector<std::string> lines(rows_of_file.slots());
  if (options.header && !common.json) out.write(writer.header());

  rows_of_file.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        RowPredictor& predictor = rows_of_file.predictor(slot);
        lines[slot].clear();
        for (const Row& row : rows) {
          const auto probability = predictor.predict(row);
          writer.write(probability,
                       wants_general ? predictor.general() : std::optional<double>(),
                       row.id, lines[slot]);
        }
      },
      [&](std::span<const Row>, std::size_t slot) { out.write(lines[slot]); },
      [&] { out.flush(); }, common);
}

// A model of a task: a line per token, or per marked span.
void predict_tokens(const Model& model, const PredictOptions& options,
                    const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  const LineWriter writer(model, options, common.json);
  if (options.header && !common.json) out.write(writer.header());
  predict_task(
      model, {options.input, options.format, options.as_domain, !options.unlabelled}, exec,
      [&](const TaskRow& row, std::string& lines) {
        writer.write(row.label, row.probability, row.general, row.id, lines);
      },
      [&](const std::string& lines) { out.write(lines); }, [&] { out.flush(); });
}

int predict(const PredictOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  if (options.gate && !has_gate(model)) {
    throw UsageError(fmt::format("--gate: a '{}' model has no gate", model.info.system),
                     "leave out --gate, or train a system with a general component");
  }
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  AtomicFile out(options.output);
  // Only a file needs cleaning up; on a pipe Ctrl-C may end the program at once.
  std::optional<GracefulStop> graceful;
  if (options.output != "-") graceful.emplace();
  try {
    if (model.task_options.empty()) {
      predict_rows(model, options, common, out, exec);
    } else {
      predict_tokens(model, options, common, out, exec);
    }
  } catch (const InputError&) {
    if (options.output == "-") out.flush();  // the rows before the bad one
    throw;
  }
  out.commit();
  return kSuccess;
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      new_command(app, "predict", "Label rows with a trained model",
                  "megadapt predict m.mega test.txt --proba --header", context.common);
  add_model_row_options(*command, *options, "The rows to label");
  add_unlabelled_option(*command, *options);
  add_output_option(*command, *options);
  const std::string group = "Output";
  command
      ->add_flag("-p,--proba", options->probabilities,
                 "After the label, the probability of every label, in the model's order")
      ->group(group);
  command->add_flag("--header", options->header, "Begin with a line that names the columns")
      ->group(group);
  command
      ->add_flag("--gate", options->gate,
                 "Last, the probability that the row is general rather than of its domain")
      ->group(group);
  command->callback([options, &context] {
    context.action = [options, &context] { return predict(*options, context.common); };
  });
}

}  // namespace megadapt::cli
