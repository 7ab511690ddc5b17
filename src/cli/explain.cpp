// megadapt explain: why a model labels rows as it does.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/explanation_text.hpp"
#include "cli/input_options.hpp"
#include "cli/row_pipeline.hpp"
#include "cli/row_predictor.hpp"
#include "explanation/explanation_json.hpp"
#include "files/atomic_file.hpp"

namespace megadapt::cli {
namespace {

struct ExplainCommand {
  std::string model;
  bool no_verify = false;
  std::string input = "-";
  std::string format;
  std::string output = "-";
  std::string as_domain;
  bool unlabelled = false;
  std::size_t row = 0;  // 0: all
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
  const std::string near = closest(name, model.labels);
  throw UsageError(fmt::format("{} {}: the model has no such label", option, name),
                   near.empty() ? "'megadapt model info' lists the labels"
                                : fmt::format("did you mean '{}'?", near));
}

/// Explains one row after the other, in the form that was asked for.
class ExplanationWriter {
 public:
  ExplanationWriter(const Model& model, const ExplainCommand& options, bool json)
      : model_(model),
        options_(options),
        json_(json),
        fallback_(fallback_domain(model, options.as_domain)),
        pair_{.label = label_id(model, options.label, "--label"),
              .against = label_id(model, options.against, "--against")},
        top_(options.top.value_or(json ? 0 : 10)),
        encoder_(model.features, &model.binning) {}

  std::string write(const Row& row, std::size_t number) {
    Explanation shown = explain(model_, encoder_, row, fallback_, pair_);
    if (options_.wrong && row.label == shown.labels[shown.label]) return {};
    if (top_ > 0) keep_strongest(shown, top_);
    const ExplainedRow about{
        .number = number, .id = row.id, .gold = row.label, .context = row_context(row)};
    if (json_) return json_line(shown, about);
    return options_.table ? example_line(shown, about) : explanation_text(shown, about);
  }

 private:
  static std::string json_line(const Explanation& shown, const ExplainedRow& about) {
    using Json = nlohmann::ordered_json;
    Json json{{"row", about.number}};
    if (!about.id.empty()) json["id"] = about.id;
    if (!about.gold.empty()) json["gold"] = about.gold;
    json.update(explanation_json(shown));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  const Model& model_;
  const ExplainCommand& options_;
  bool json_;
  std::uint32_t fallback_;
  ExplainOptions pair_;
  std::size_t top_;  // 0: all
  RowEncoder encoder_;
};

void explain_rows(const Model& model, const ExplainCommand& options, bool json,
                  AtomicFile& out) {
  const auto reader =
      open_rows(options.input, reading_for(model, options.format, !options.unlabelled));
  ExplanationWriter writer(model, options, json);
  const InputPauses pauses(options.input);
  if (options.table && !json) out.write(example_header());
  std::size_t number = 0;
  for (Row row; reader->next(row);) {
    ++number;
    if (options.row != 0 && number != options.row) continue;
    out.write(writer.write(row, number));
    if (number == options.row) return;
    if (pauses.now()) out.flush();
  }
  if (options.row > number) {
    throw UsageError(fmt::format("--row {}: {} has {}", options.row,
                                 options.input == "-" ? "the input" : options.input,
                                 counted(number, "row")),
                     "rows are counted from 1");
  }
}

int run_explain(const ExplainCommand& options, const CommonOptions& common) {
  if (options.wrong && options.unlabelled) {
    throw UsageError("--wrong: rows without a label are neither right nor wrong",
                     "leave out --wrong or --unlabelled");
  }
  const Model model = load_model(options.model, !options.no_verify);
  AtomicFile out(options.output);
  try {
    explain_rows(model, options, common.json, out);
  } catch (const InputError&) {
    if (options.output == "-") out.flush();  // the rows before the bad one
    throw;
  }
  out.commit();
  return kSuccess;
}

void add_explain_input(CLI::App& command, ExplainCommand& options) {
  add_model_argument(command, options.model, options.no_verify);
  command.add_option("INPUT", options.input, "The rows to explain, - for standard input")
      ->type_name("FILE")
      ->capture_default_str();
  add_format_option(command, options.format);
  const std::string group = "Input";
  command
      .add_flag("-u,--unlabelled", options.unlabelled,
                "Lines hold features only; without it the first field is a label")
      ->group(group);
  command
      .add_option("--as-domain", options.as_domain,
                  "Domain of rows that name none the model knows; else the target")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--row", options.row, "Only this row, counted from 1; 0 means all")
      ->type_name("N")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(group);
  command.add_flag("--wrong", options.wrong, "Only rows whose label is not predicted")
      ->group(group);
}

void add_explain_output(CLI::App& command, ExplainCommand& options) {
  const std::string group = "Output";
  command
      .add_option("--label", options.label, "The label to explain; else the predicted one")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--against", options.against,
                  "The label to compare it with; else the most probable other one")
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--top", options.top,
                  "Features to show per sum, the rest added up; 0 means all (text: 10)")
      ->type_name("N")
      ->check(number_from(0))
      ->group(group);
  command
      .add_flag("--table", options.table,
                "One line per row: context, true and predicted label, P(general)")
      ->group(group);
  command
      .add_option("-o,--output", options.output, "Where to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group(group);
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  auto options = std::make_shared<ExplainCommand>();
  CLI::App* command =
      new_command(app, "explain", "Show what each feature adds to a prediction",
                  "megadapt explain m.mega test.txt --row 3", context.common);
  add_explain_input(*command, *options);
  add_explain_output(*command, *options);
  command->callback([options, &context] {
    context.action = [options, &context] { return run_explain(*options, context.common); };
  });
}

}  // namespace megadapt::cli
