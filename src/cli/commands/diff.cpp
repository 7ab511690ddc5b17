// megadapt diff: which rows a new model wins and loses against an old one, and why.

#include "megadapt/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/row_options.hpp"
#include "cli/options/section.hpp"
#include "cli/text/reports.hpp"

namespace megadapt::cli {
namespace {

struct DiffCommand {
  std::string before;
  std::string after;
  std::string test;
  std::string format;
  std::string as_domain;
  RecipeOptions reading;  // only its column_names
  std::optional<std::size_t> max_lost;
  std::size_t top = 10;
  std::string output = "-";
};

nlohmann::ordered_json changes_json(const std::vector<FeatureChange>& features) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [name, change] : features) {
    list.push_back({{"name", name}, {"change", change}});
  }
  return list;
}

nlohmann::ordered_json changed_rows_json(const std::vector<ChangedRow>& rows) {
  auto list = nlohmann::ordered_json::array();
  for (const ChangedRow& row : rows) {
    nlohmann::ordered_json one{{"row", row.row}};
    if (!row.id.empty()) one["id"] = row.id;
    one.update({{"label", row.label},
                {"before", row.before},
                {"after", row.after},
                {"p_before", row.p_before},
                {"p_after", row.p_after},
                {"features", changes_json(row.features)}});
    if (!row.text.empty()) one["text"] = row.text;
    list.push_back(std::move(one));
  }
  return list;
}

nlohmann::ordered_json side_json(const std::string& file, const Evaluation& evaluation) {
  return {{"model", file},
          {"accuracy", evaluation.accuracy},
          {"f1", evaluation.f1},
          {"interval", evaluation.interval}};
}

nlohmann::ordered_json diff_json(const ModelDiff& diff, const DiffCommand& command) {
  return {{"rows", diff.rows},
          {"won", diff.won.size()},
          {"lost", diff.lost.size()},
          {"p", diff.test.p},
          {"before", side_json(command.before, diff.before)},
          {"after", side_json(command.after, diff.after)},
          {"features", changes_json(diff.features)},
          {"lost_rows", changed_rows_json(diff.lost)},
          {"won_rows", changed_rows_json(diff.won)}};
}

std::string changed_rows_text(const std::string& title, const std::vector<ChangedRow>& rows,
                              std::size_t top) {
  if (rows.empty()) return {};
  std::string out = fmt::format("\n{}\n", title);
  for (std::size_t i = 0; i < std::min(top, rows.size()); ++i) {
    const ChangedRow& row = rows[i];
    std::vector<std::string> why;
    for (const auto& [name, change] : row.features) {
      why.push_back(fmt::format("{} {:+.2f}", name, change));
    }
    out += wrapped(fmt::format("  row {}{}: {}; was {}, is {} ({})", row.row,
                               row.id.empty() ? "" : fmt::format(" ({})", row.id),
                               row.label, row.before, row.after, fmt::join(why, ", ")),
                   6);
  }
  if (rows.size() > top) out += fmt::format("  and {} more\n", rows.size() - top);
  return out;
}

std::string diff_text(const ModelDiff& diff, const DiffCommand& command) {
  std::string out = fmt::format(
      "{}: {}% of {} right\n{}: {}%\nwon {}, lost {}; McNemar p = {:.3g}\n", command.before,
      percent(diff.before.accuracy), counted(diff.rows, "row"), command.after,
      percent(diff.after.accuracy), diff.won.size(), diff.lost.size(), diff.test.p);
  if (!diff.features.empty()) {
    out += "\nchange of log-odds of the true label, over won and lost rows\n";
  }
  for (std::size_t i = 0; i < std::min(command.top, diff.features.size()); ++i) {
    out += fmt::format("  {:+8.2f}  {}\n", diff.features[i].change, diff.features[i].name);
  }
  return out + changed_rows_text("lost rows", diff.lost, command.top) +
         changed_rows_text("won rows", diff.won, command.top);
}

int run_diff(const DiffCommand& command, const CommonOptions& common) {
  const Model before = load_model(command.before);
  const Model after = load_model(command.after);
  if (before.recipe->task) refuse_row_columns(command.reading.column_names);
  DiffOptions options{.open = {.format = command.format,
                               .names = command.reading.column_names,
                               .stop = stop_flag()},
                      .before_domain = command.as_domain,
                      .after_domain = command.as_domain,
                      .seed = common.seed};
  const ModelDiff diff = diff_models(before, after, command.test, options);
  auto known = training_file_warning(before.info, command.test, diff.sha256, "test");
  if (!known) {
    known = training_file_warning(after.info, command.test, diff.sha256, "test");
  }
  common.warn(known);
  common.warn(unknown_labels_warning(diff.after, command.test));
  const bool by_old = diff.unknown_before.rows > diff.unknown_after.rows;
  common.warn(unknown_domains_warning(by_old ? diff.unknown_before : diff.unknown_after,
                                      Classifier::over(by_old ? before : after),
                                      command.as_domain));
  auto json = diff_json(diff, command);
  common.add_warnings(json);
  print(common.json ? json_text(json, 2) + "\n" : printable(diff_text(diff, command)),
        command.output);
  if (!command.max_lost || diff.lost.size() <= *command.max_lost) return kSuccess;
  throw CheckFailed(fmt::format("the new model loses {}, more than --max-lost {}",
                                counted(diff.lost.size(), "row"), *command.max_lost),
                    "keep the old model, or look at the lost rows and raise --max-lost");
}

}  // namespace

void add_diff(CLI::App& app, Context& context) {
  auto options = std::make_shared<DiffCommand>();
  CLI::App* command =
      new_command(app, "diff", "Compare an old and a new model, row by row",
                  "megadapt diff old.mega new.mega test.txt --max-lost 5", context.common);
  Section input(*command, "Input");
  input.value("OLD", options->before, "The old model file", "FILE")->required();
  input.value("NEW", options->after, "The new model file", "FILE")->required();
  input.value("TEST", options->test, "Labelled rows or tagged sentences", "FILE")
      ->required();
  add_format_option(*command, options->format);
  input.value("--as-domain", options->as_domain,
              "Domain of rows whose domain is missing or unknown to the model "
              "(default: each model's target)",
              "NAME");
  add_column_name_options(*command, options->reading);
  Section output(*command, "Output");
  output.value("--max-lost", options->max_lost,
               "Exit with code 4 if the new model gets more than N rows wrong that the old "
               "one has right",
               "N", number_from(0));
  output.value("--top", options->top, "Number of features and rows to show", "N",
               number_from(0));
  add_output_option(*command, options->output);
  set_action(*command, context, options, run_diff);
}

}  // namespace megadapt::cli
