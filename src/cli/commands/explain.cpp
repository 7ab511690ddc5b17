// megadapt explain: why a model labels rows as it does.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "base/messages.hpp"
#include "cli/commands/command.hpp"
#include "cli/options/row_options.hpp"
#include "cli/text/explanation_text.hpp"
#include "inference/explanation_json.hpp"
#include "megadapt/classifier.hpp"
#include "sentences/token_context.hpp"

namespace megadapt::cli {
namespace {

struct ExplainCommand : ModelRowOptions {
  std::size_t row = 0;  // 0: all rows
  std::optional<std::size_t> top;
  std::string label;
  std::string against;
  bool table = false;
  bool wrong = false;
};

std::optional<std::uint32_t> label_id(const Model& model, const std::string& name,
                                      const char* option) {
  if (name.empty()) return std::nullopt;
  const auto found = std::find(model.labels.begin(), model.labels.end(), name);
  if (found != model.labels.end()) {
    return static_cast<std::uint32_t>(found - model.labels.begin());
  }
  throw UsageError(fmt::format("{} {}: the model has no such label", option, name),
                   suggest(name, model.labels, "'megadapt model info' lists the labels"));
}

/// Writes explanations in the requested form.
class ExplanationWriter {
 public:
  ExplanationWriter(const ExplainCommand& options, bool json, AtomicFile& out)
      : options_(options),
        json_(json),
        top_(options.top.value_or(json ? 0 : 10)),
        out_(out) {}

  void begin(bool entities) {
    if (options_.table && !json_) out_.write(example_header(entities));
  }

  /// Whether row `number` is requested.
  bool wants(std::size_t number) const {
    return options_.row == 0 || number == options_.row;
  }
  bool is_last(std::size_t number) const {
    return options_.row != 0 && number >= options_.row;
  }

  void write(Explanation shown, const ExplainedRow& about) {
    if (options_.wrong && about.gold == shown.labels[shown.predicted]) return;
    if (top_ > 0) keep_strongest(shown, top_);
    out_.write(json_            ? json_line(shown, about)
               : options_.table ? printable(example_line(shown, about))
                                : printable(explanation_text(shown, about)));
  }

  /// Throws UsageError if the input ended before the requested row.
  void end(std::size_t rows) const {
    if (options_.row <= rows) return;
    throw UsageError(fmt::format("--row {}: {} has {}", options_.row,
                                 options_.input == "-" ? "the input" : options_.input,
                                 counted(rows, "row")),
                     "rows are counted from 1");
  }

 private:
  static std::string json_line(const Explanation& shown, const ExplainedRow& about) {
    using Json = nlohmann::ordered_json;
    Json json{{"row", about.number}};
    if (!about.id.empty()) json["id"] = about.id;
    if (!about.entity.empty()) {
      json["context"] = about.context;
      json["entity"] = about.entity;
    }
    if (!about.gold.empty()) json["gold"] = about.gold;
    json.update(explanation_json(shown));
    return json_text(json) + "\n";
  }

  const ExplainCommand& options_;
  bool json_;
  std::size_t top_;  // 0: all features
  AtomicFile& out_;
};

ExplainOptions labels_of(const Model& model, const ExplainCommand& options) {
  return {.label = label_id(model, options.label, "--label"),
          .against = label_id(model, options.against, "--against")};
}

void explain_rows(const Classifier& classifier, const ExplainCommand& options,
                  const CommonOptions& common, ExplanationWriter& writer, AtomicFile& out) {
  UnknownDomains unknown;
  OpenOptions open = opening(classifier, options);
  open.unknown_domains = &unknown;
  const auto reader = classifier.open(options.input, open);
  Classifier::Worker worker = classifier.worker(options.as_domain);
  const ExplainOptions pair = labels_of(classifier.model(), options);
  const InputPauses pauses(options.input);
  writer.begin(false);
  std::size_t number = 0;
  UnknownLabels labels(classifier.labels());
  for (Row row; !writer.is_last(number) && reader->next(row);) {
    labels.add(row.label);
    if (!writer.wants(++number)) continue;
    writer.write(worker.explain(row, pair),
                 {number, row.id, row.label, row_context(row), {}});
    if (pauses.now()) out.flush();
  }
  writer.end(number);
  common.warn(unknown_domains_warning(unknown, classifier, options.as_domain));
  common.warn(labels.warning(options.input));
}

// Each token, or each marked span, counts as a row.
void explain_sentences(const Tagger& tagger, const ExplainCommand& options,
                       const CommonOptions& common, ExplanationWriter& writer,
                       AtomicFile& out) {
  const auto reader = tagger.open(options.input, opening(tagger, options));
  Tagger::Worker worker = tagger.worker(options.as_domain);
  const ExplainOptions pair = labels_of(tagger.model(), options);
  const InputPauses pauses(options.input);
  writer.begin(true);
  std::size_t number = 0;
  UnknownLabels labels(tagger.labels());
  for (Sentence sentence; !writer.is_last(number) && reader->next(sentence);) {
    for (const std::string_view tag : sentence.tags) labels.add(tag);
    const std::size_t rows = sentence.is_span ? 1 : sentence.size();
    if (options.row > number + rows) {
      number += rows;
      continue;
    }
    worker.read(sentence);
    std::vector<Explanation> all = worker.explain(pair);
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (!writer.wants(++number)) continue;
      const TokenContext context = token_context(sentence, t);
      const std::string_view gold =
          sentence.tags.empty() ? std::string_view() : sentence.tags[t];
      writer.write(std::move(all[t]),
                   {number, sentence.id, gold, context.text(), context.entity});
    }
    if (pauses.now()) out.flush();
  }
  writer.end(number);
  common.warn(labels.warning(options.input));
}

int run_explain(const ExplainCommand& options, const CommonOptions& common) {
  if (options.wrong && options.unlabelled) {
    throw UsageError("--wrong: rows without a label are neither right nor wrong",
                     "leave out --wrong or --no-labels");
  }
  const Classifier classifier = Classifier::load(options.model, !options.no_verify);
  AtomicFile out(options.output);
  try {
    ExplanationWriter writer(options, common.json, out);
    if (!classifier.has_task()) {
      explain_rows(classifier, options, common, writer, out);
    } else {
      explain_sentences(Tagger::over(classifier.model()), options, common, writer, out);
    }
  } catch (const InputError&) {
    if (options.output == "-") out.flush();  // write the rows before the bad one
    throw;
  }
  out.commit();
  return kSuccess;
}

void add_explain_output(CLI::App& command, ExplainCommand& options) {
  Section output(command, "Output");
  output.value("--label", options.label, "Label to explain (default: the predicted one)",
               "NAME");
  output.value("--against", options.against,
               "Label to compare it with (default: the most probable other one)", "NAME");
  output.value("--top", options.top,
               "Number of features to show per sum; 0 means all (default for text: 10)",
               "N", number_from(0));
  output.flag(
      "--table", options.table,
      "Print one line per row: context, entity, true and predicted label, P(general)");
  add_output_option(command, options.output);
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  auto options = std::make_shared<ExplainCommand>();
  CLI::App* command =
      new_command(app, "explain", "Show what each feature adds to a prediction",
                  "megadapt explain m.mega test.txt --row 3", context.common);
  add_model_row_options(*command, *options, "The rows to explain");
  add_unlabelled_option(*command, *options);
  Section input(*command, "Input");
  input.value("--row", options->row,
              "Explain only this row, token or span, counted from 1; 0 means all", "N",
              number_from(0));
  input.flag("--wrong", options->wrong, "Explain only rows that the model gets wrong");
  add_explain_output(*command, *options);
  set_action(*command, context, options, run_explain);
}

}  // namespace megadapt::cli
