// megadapt predict: reads rows, writes one line per row.

#include <fmt/format.h>

#include <optional>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/options/row_options.hpp"
#include "inference/prediction_lines.hpp"

namespace megadapt::cli {
namespace {

struct PredictOptions : ModelRowOptions {
  bool probabilities = false;
  bool header = false;
  bool gate = false;
  std::optional<std::size_t> top;
  std::optional<double> threshold;
  std::string otherwise = "?";
};

PredictionLines lines_of(const LoadedModel& model, const PredictOptions& options,
                         bool json) {
  return PredictionLines(model.labels(), {.probabilities = options.probabilities,
                                          .general = options.gate,
                                          .json = json,
                                          .top = options.top.value_or(0),
                                          .threshold = options.threshold.value_or(0),
                                          .otherwise = options.otherwise});
}

// Adds the column of ids if the first item has one, and writes the header.
template <class Stream>
void begin_lines(Stream& stream, PredictionLines& writer, AtomicFile& out, bool header) {
  stream.set_first([&writer, &out, header](auto items) {
    if (!items.empty() && !items[0].id.empty()) writer.show_ids();
    if (header) out.write(writer.header());
  });
}

void predict_rows(const Classifier& classifier, const PredictOptions& options,
                  const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  RowStream rows_of_file(classifier, options.input, opening(classifier, options), exec);
  PredictionLines writer = lines_of(classifier, options, common.json);
  begin_lines(rows_of_file, writer, out, options.header && !common.json);
  const bool wants_general = options.gate || (common.json && classifier.has_gate());
  UnknownLabels labels(classifier.labels());
  write_each(
      rows_of_file, out,
      [&](const Row& row, auto& worker, std::string& lines) {
        const auto probability = worker.predict(row);
        writer.append(most_probable(probability), probability,
                      wants_general ? worker.general() : std::optional<double>(), row.id,
                      lines);
      },
      [&](const Row& row) { labels.add(row.label); });
  warn_of_unknown_domains(rows_of_file, classifier, options, common);
  common.warn(labels.warning(options.input));
  tell_unseen(rows_of_file.unseen(), common);
}

// For task models: writes one line per token or marked span.
void predict_tokens(const Tagger& tagger, const PredictOptions& options,
                    const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  PredictionLines writer = lines_of(tagger, options, common.json);
  SentenceStream stream(tagger, options.input, opening(tagger, options), exec);
  begin_lines(stream, writer, out, options.header && !common.json);
  UnknownLabels labels(tagger.labels());
  write_each(
      stream, out,
      [&](const Sentence& sentence, auto& worker, std::string& lines) {
        worker.read(sentence);
        for (const Prediction& token : worker.predict()) {
          writer.append(token.label, token.probabilities, token.general, sentence.id,
                        lines);
        }
      },
      [&](const Sentence& sentence) {
        for (const std::string_view tag : sentence.tags) labels.add(tag);
      });
  common.warn(labels.warning(options.input));
}

int predict(const PredictOptions& options, const CommonOptions& common) {
  if (options.threshold && *options.threshold > 1) {
    throw UsageError(
        fmt::format("--threshold {}: no probability is above 1", *options.threshold),
        "give a number from 0 to 1, such as 0.8");
  }
  const Classifier classifier = Classifier::load(options.model, !options.no_verify);
  if (options.gate && !classifier.has_gate()) {
    throw UsageError(
        fmt::format("--gate: a '{}' model has no gate", classifier.info().system),
        "leave out --gate, or train a system with a general component");
  }
  return stream_to(options.output, common, [&](AtomicFile& out, const Execution& exec) {
    if (!classifier.has_task()) {
      predict_rows(classifier, options, common, out, exec);
    } else {
      predict_tokens(Tagger::over(classifier.model()), options, common, out, exec);
    }
  });
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      new_command(app, "predict", "Label rows with a trained model",
                  "megadapt predict m.mega test.txt --proba --header", context.common);
  add_model_row_options(*command, *options, "The rows to label");
  add_unlabelled_option(*command, *options);
  add_output_option(*command, options->output);
  Section output(*command, "Output");
  CLI::Option* all =
      output.flag("-p,--proba", options->probabilities,
                  "Also print the probability of every label, in the model's order");
  output
      .value("--top", options->top,
             "Also print the K most probable labels with their probabilities, best first",
             "K", number_from(1))
      ->excludes(all);
  CLI::Option* threshold =
      output.value("--threshold", options->threshold,
                   "Rows whose label is less probable than P get the label of --otherwise",
                   "P", number_from(0));
  output
      .value("--otherwise", options->otherwise, "The label of rows below --threshold",
             "NAME")
      ->needs(threshold);
  output.flag("--header", options->header, "Print the names of the columns first");
  output.flag("--gate", options->gate,
              "Also print the probability that the row is general, not domain-specific");
  set_action(*command, context, options, predict);
}

}  // namespace megadapt::cli
