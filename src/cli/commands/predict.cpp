// megadapt predict: rows in, one line per row out.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/row_options.hpp"
#include "inference/prediction_lines.hpp"

namespace megadapt::cli {
namespace {

struct PredictOptions : ModelRowOptions {
  bool probabilities = false;
  bool header = false;
  bool gate = false;
};

PredictionLines lines_of(const LoadedModel& model, const PredictOptions& options,
                         bool json) {
  return PredictionLines(
      model.labels(),
      {.probabilities = options.probabilities, .general = options.gate, .json = json});
}

void predict_rows(const Classifier& classifier, const PredictOptions& options,
                  const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  RowStream rows_of_file(classifier, options.input, opening(classifier, options), exec);
  const PredictionLines writer = lines_of(classifier, options, common.json);
  const bool wants_general = options.gate || (common.json && classifier.has_gate());
  std::vector<std::string> lines(rows_of_file.slots());
  if (options.header && !common.json) out.write(writer.header());

  rows_of_file.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        Classifier::Worker& worker = rows_of_file.worker(slot);
        lines[slot].clear();
        for (const Row& row : rows) {
          const auto probability = worker.predict(row);
          writer.append(most_probable(probability), probability,
                        wants_general ? worker.general() : std::optional<double>(), row.id,
                        lines[slot]);
        }
      },
      [&](std::span<const Row>, std::size_t slot) { out.write(lines[slot]); },
      [&] { out.flush(); });
  tell_unseen(rows_of_file.unseen(), common);
}

// A model of a task: a line per token, or per marked span.
void predict_tokens(const Tagger& tagger, const PredictOptions& options,
                    const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  const PredictionLines writer = lines_of(tagger, options, common.json);
  if (options.header && !common.json) out.write(writer.header());
  SentenceStream stream(tagger, options.input, opening(tagger, options), exec);
  std::vector<std::string> lines(stream.slots());
  stream.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        Tagger::Worker& worker = stream.worker(slot);
        lines[slot].clear();
        for (const Sentence& sentence : sentences) {
          worker.read(sentence);
          for (const Prediction& token : worker.predict()) {
            writer.append(token.label, token.probabilities, token.general, sentence.id,
                          lines[slot]);
          }
        }
      },
      [&](std::span<const Sentence>, std::size_t slot) { out.write(lines[slot]); },
      [&] { out.flush(); });
}

int predict(const PredictOptions& options, const CommonOptions& common) {
  const Classifier classifier = Classifier::load(options.model, !options.no_verify);
  if (options.gate && !classifier.has_gate()) {
    throw UsageError(
        fmt::format("--gate: a '{}' model has no gate", classifier.info().system),
        "leave out --gate, or train a system with a general component");
  }
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  AtomicFile out(options.output);
  // Only a file needs cleaning up; on a pipe Ctrl-C may end the program at once.
  std::optional<GracefulStop> graceful;
  if (options.output != "-") graceful.emplace();
  try {
    if (!classifier.has_task()) {
      predict_rows(classifier, options, common, out, exec);
    } else {
      predict_tokens(Tagger::over(classifier.model()), options, common, out, exec);
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
