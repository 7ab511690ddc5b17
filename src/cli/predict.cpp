// megadapt predict: rows in, one line per row out.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/input_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/row_pipeline.hpp"
#include "cli/row_predictor.hpp"
#include "explanation/prediction_json.hpp"
#include "files/atomic_file.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt::cli {
namespace {

struct PredictOptions {
  std::string model;
  bool no_verify = false;
  std::string input = "-";
  std::string format;
  std::string output = "-";
  std::string as_domain;
  bool unlabelled = false;
  bool probabilities = false;
  bool header = false;
  bool gate = false;
};

/// Writes the line of one row at the end of a buffer.
class LineWriter {
 public:
  LineWriter(const Model& model, const PredictOptions& options, bool json)
      : labels_(model.labels), options_(options), json_(json), json_line_(labels_) {}

  std::string header() const {
    std::string line = "label";
    if (options_.probabilities) {
      for (const std::string& label : labels_) line += "\t" + label;
    }
    return line + (options_.gate ? "\tgeneral\n" : "\n");
  }

  void write(std::span<const double> probability, std::optional<double> general,
             std::string_view id, std::string& out) const {
    if (!json_) return write_text(probability, general, out);
    json_line_.append(probability, general, id, out);
    out += '\n';
  }

 private:
  void write_text(std::span<const double> probability, std::optional<double> general,
                  std::string& out) const {
    out += labels_[Evaluator::predicted(probability)];
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
  bool json_;
  PredictionJson json_line_;
};

void predict_rows(const Model& model, const PredictOptions& options,
                  const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  ReadOptions reading = reading_for(model, options.format, !options.unlabelled);
  reading.stop = stop_flag();
  const auto reader = open_rows(options.input, reading);
  RowPipeline pipeline(*reader, options.input, exec);
  const LineWriter writer(model, options, common.json);
  const bool wants_general = options.gate || (common.json && has_gate(model));

  std::vector<RowPredictor> predictors;
  std::vector<std::string> lines(pipeline.slots());
  for (std::size_t slot = 0; slot < pipeline.slots(); ++slot) {
    predictors.emplace_back(model, fallback_domain(model, options.as_domain));
  }
  if (options.header && !common.json) out.write(writer.header());

  pipeline.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        RowPredictor& predictor = predictors[slot];
        lines[slot].clear();
        for (const Row& row : rows) {
          const auto probability = predictor.predict(row);
          writer.write(probability,
                       wants_general ? predictor.general() : std::optional<double>(),
                       row.id, lines[slot]);
        }
      },
      [&](std::span<const Row>, std::size_t slot) { out.write(lines[slot]); },
      [&] { out.flush(); });

  std::size_t unseen = 0;
  for (const RowPredictor& predictor : predictors) unseen += predictor.unseen();
  common.detail("{} not in the model and ignored", counted(unseen, "feature occurrence"));
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
    predict_rows(model, options, common, out, exec);
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
  add_model_argument(*command, options->model, options->no_verify);
  command->add_option("INPUT", options->input, "The rows to label, - for standard input")
      ->type_name("FILE")
      ->capture_default_str();
  add_format_option(*command, options->format);
  command
      ->add_flag("-u,--unlabelled", options->unlabelled,
                 "Lines hold features only; without it the first field is a label")
      ->group("Input");
  command
      ->add_option("--as-domain", options->as_domain,
                   "Domain of rows that name none the model knows; else the target")
      ->type_name("NAME")
      ->group("Input");
  const std::string group = "Output";
  command
      ->add_option("-o,--output", options->output, "Where to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group(group);
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
