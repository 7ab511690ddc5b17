#include "cli/options/row_options.hpp"

#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"

namespace megadapt::cli {
void add_row_options(CLI::App& command, RowOptions& options, const std::string& what) {
  command.add_option("INPUT", options.input, what + ", - for standard input")
      ->type_name("FILE")
      ->capture_default_str();
  add_format_option(command, options.format);
}

void add_model_row_options(CLI::App& command, ModelRowOptions& options,
                           const std::string& what) {
  add_model_argument(command, options.model, options.no_verify);
  add_row_options(command, options, what);
  command
      .add_option("--as-domain", options.as_domain,
                  "Domain of rows that name none; else the target")
      ->type_name("NAME")
      ->group("Input");
}

void add_unlabelled_option(CLI::App& command, RowOptions& options) {
  command
      .add_flag("-u,--unlabelled", options.unlabelled,
                "Lines hold features only; without it the first field is a label")
      ->group("Input");
}

void add_output_option(CLI::App& command, RowOptions& options) {
  command
      .add_option("-o,--output", options.output, "Where to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
}

OpenOptions opening(const LoadedModel& model, const ModelRowOptions& options) {
  if (!model.has_task()) chosen_format(options.format);  // complains of sentences
  return {.format = options.format,
          .as_domain = options.as_domain,
          .labelled = !options.unlabelled,
          .digest = options.digest,
          .stop = stop_flag()};
}

void tell_unseen(std::size_t unseen, const CommonOptions& common) {
  common.detail("{} not in the model and ignored", counted(unseen, "feature occurrence"));
}

}  // namespace megadapt::cli
