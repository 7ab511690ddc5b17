// megadapt audit: target rows with likely label errors, and rows of changed meaning.

#include "megadapt/audit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/tuning_options.hpp"
#include "cli/text/progress_bar.hpp"

namespace megadapt::cli {
namespace {

struct AuditCommand {
  InputOptions input;
  TuningArguments tuning;
  bool no_tuning = false;
  std::string kind = "all";
  std::string output = "-";
};

constexpr const char* kLabelError = "label-error";
constexpr const char* kChangedMeaning = "changed-meaning";

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Writes suspects as CSV, or as one JSON object per line.
class SuspectLines {
 public:
  SuspectLines(const Dataset& data, bool json) : data_(data), json_(json) {}

  std::string header() const {
    return json_ ? "" : "kind,id,row,domain,label,general,specific,score,reasons,text\n";
  }
  std::string line(const Suspect& suspect, const std::string& kind) const {
    const std::string row = row_place(data_, suspect.row);
    const std::string& own = data_.origin.empty() ? "" : data_.origin[suspect.row].id;
    const std::string id = own.empty() ? row : own;
    const std::string domain(data_.domains().name(data_.domain[suspect.row]));
    const std::string text = data_.text.empty() ? "" : data_.text[suspect.row];
    if (json_) {
      nlohmann::ordered_json json = {{"id", id},
                                     {"row", row},
                                     {"domain", domain},
                                     {"label", name(suspect.label)},
                                     {"general", name(suspect.general)},
                                     {"specific", name(suspect.specific)},
                                     {"score", suspect.score},
                                     {"reasons", suspect.reasons},
                                     {"kind", kind},
                                     {"p_general", suspect.p_general},
                                     {"p_specific", suspect.p_specific}};
      if (!text.empty()) json["text"] = text;
      return json_text(json) + "\n";
    }
    return fmt::format(
        "{},{},{},{},{},{},{},{:.4f},{},{}\n", kind, csv_field(id), csv_field(row),
        csv_field(domain), csv_field(name(suspect.label)), csv_field(name(suspect.general)),
        csv_field(name(suspect.specific)), suspect.score,
        csv_field(fmt::format("{}", fmt::join(suspect.reasons, "; "))), csv_field(text));
  }

 private:
  std::string name(std::uint32_t label) const {
    return std::string(data_.label_name(label));
  }

  const Dataset& data_;
  bool json_;
};

std::string suspects_text(const Dataset& data, const Audit& found,
                          const AuditCommand& command, bool json) {
  const SuspectLines lines(data, json);
  std::string out = lines.header();
  if (command.kind != kChangedMeaning) {
    for (const Suspect& suspect : found.errors) out += lines.line(suspect, kLabelError);
  }
  if (command.kind != kLabelError) {
    for (const Suspect& one : found.changed) out += lines.line(one, kChangedMeaning);
  }
  return out;
}

int run_audit(AuditCommand& command, const CommonOptions& common) {
  AuditOptions options;
  options.tuning = tune_options(command.tuning, common);
  options.tune = !command.no_tuning;
  ProgressBar bar(common.quiet);
  options.on_progress = [&bar](const Progress& progress) { bar.update(progress); };
  bar.update({.stage = "reading"});
  const Dataset data = read_input(command.input, common, serial_communicator(), true);
  const std::string target = chosen_target(command.input, data);
  warn_of_data(data, target, common, options.tune);
  const StoppableExecution exec(common.threads);
  const Audit found = audit(data, data.domains().find(target), options, exec);
  bar.clear();
  print(suspects_text(data, found, command, common.json), command.output);
  common.note(
      "{} of '{}': {} with a label that both experts contradict (likely errors, the most "
      "suspicious first), {} that only the source contradicts (changed meaning)",
      counted(found.rows, "row"), target, found.errors.size(), found.changed.size());
  return kSuccess;
}

}  // namespace

void add_audit(CLI::App& app, Context& context) {
  auto options = std::make_shared<AuditCommand>();
  CLI::App* command = new_command(
      app, "audit", "Find target rows that are probably labelled wrongly",
      "megadapt audit --domain out=news.csv --domain in=calls.csv --target in \\\n"
      "    -o suspects.csv",
      context.common);
  add_input_options(*command, options->input);
  Section auditing(*command, "Audit");
  auditing.choice("--kind", options->kind,
                  "Which rows to list: label-error, a label that both experts contradict; "
                  "changed-meaning, a label that only the source contradicts",
                  {"all", kLabelError, kChangedMeaning});
  add_tuning_options(*command, options->tuning, "--tune-folds,--folds");
  Section(*command, "Tuning")
      .flag("--no-tuning", options->no_tuning,
            "Do not tune; use --set and the defaults of 'train'");
  add_output_option(*command, options->output);
  set_action(*command, context, options, run_audit);
}

}  // namespace megadapt::cli
