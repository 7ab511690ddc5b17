#include "cli/options/row_options.hpp"

#include <fmt/format.h>

#include <optional>

#include "cli/failures.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/section.hpp"
#include "dataset/recipe_options.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {

void add_input_argument(CLI::App& command, std::string& path, const std::string& what) {
  Section(command, "Input").value("INPUT", path, what + ", - for standard input", "FILE");
}

void add_row_options(CLI::App& command, RowOptions& options, const std::string& what) {
  add_input_argument(command, options.input, what);
  add_format_option(command, options.format);
}

void add_column_name_options(CLI::App& command, RecipeOptions& reading) {
  for (const char* name : {"label-column", "text-column", "group-column", "id-column",
                           "weight-column", "domain-column"}) {
    const auto& option = recipe_table().find(name);
    std::string help = option.help;
    const std::size_t usual = help.find("(default: ");
    help.replace(usual, help.find(')', usual) - usual, "(default: as in training");
    rare(add_table_option(command, option, reading))->description(help);
  }
}

void add_as_domain_option(CLI::App& command, ModelRowOptions& options,
                          const std::string& help) {
  Section(command, "Input").value("--as-domain", options.as_domain, help, "NAME");
}

void add_model_row_options(CLI::App& command, ModelRowOptions& options,
                           const std::string& what) {
  add_model_argument(command, options.model, options.no_verify);
  add_row_options(command, options, what);
  add_as_domain_option(command, options,
                       "Domain of rows whose domain is missing or unknown to the model "
                       "(default: the target)");
  add_column_name_options(command, options.reading);
}

void add_unlabelled_option(CLI::App& command, RowOptions& options) {
  options.may_lack_labels = true;
  Section(command, "Input")
      .flag("-u,--no-labels", options.unlabelled,
            "The rows have no labels; without this flag each has one, as the first word of "
            "a line or in a column");
  command.add_flag("--unlabelled", options.unlabelled)->group("");  // the name in 0.1
}

bool reads_without_labels(const RowOptions& options) {
  // Raw text has no labels. A command that needs them gets an error from the reader.
  const bool text = options.may_lack_labels && options.format == format_name(Format::text);
  return options.unlabelled || text;
}

OpenOptions opening(const LoadedModel& model, const ModelRowOptions& options) {
  if (!model.has_task()) chosen_format(options.format);  // throws for formats of sentences
  if (model.has_task()) refuse_row_columns(options.reading.column_names);
  return {.format = options.format,
          .names = options.reading.column_names,
          .as_domain = options.as_domain,
          .labelled = !reads_without_labels(options),
          .digest = options.digest,
          .stop = stop_flag()};
}

int stream_to(const std::string& path, const CommonOptions& common,
              const std::function<void(AtomicFile& out, const Execution& exec)>& work) {
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  AtomicFile out(path);
  // Only a file needs cleaning up; with a pipe Ctrl-C may end the program at once.
  std::optional<GracefulStop> graceful;
  if (path != "-") graceful.emplace();
  try {
    work(out, exec);
  } catch (const InputError&) {
    if (path == "-") out.flush();
    throw;
  }
  out.commit();
  return kSuccess;
}

void tell_unseen(std::size_t unseen, const CommonOptions& common) {
  common.detail("{} not in the model and ignored", counted(unseen, "feature occurrence"));
}

void add_skip_bad_option(CLI::App& command, bool& skip_bad) {
  Section(command, "Task")
      .flag("--skip-bad-lines", skip_bad, recipe_table().find("skip-bad-lines").help);
}

Tagger tagger_for(const std::string& command, const std::string& path, bool verify) {
  Model model = load_model(path, verify);
  if (!model.recipe->task) {
    throw UsageError(
        fmt::format("'megadapt {}' needs a model of a task; this one takes ready-made "
                    "features",
                    command),
        "use 'megadapt predict', or train with --task");
  }
  return Tagger(std::move(model));
}

}  // namespace megadapt::cli
