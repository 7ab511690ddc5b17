#include "cli/options/row_options.hpp"

#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"

namespace megadapt::cli {
namespace {

std::unique_ptr<RowReader> open_for(const Model& model, const ModelRowOptions& options,
                                    LabelMap* labels) {
  ReadOptions reading = reading_for(model, options.format, !options.unlabelled);
  reading.stop = stop_flag();
  reading.label_map = labels;
  reading.digest = options.digest;
  reading.domain = model.info.domains.empty()
                       ? std::string()
                       : model.info.domains[fallback_domain(model, options.as_domain)].name;
  return open_rows(options.input, reading);
}

}  // namespace

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
                  "Domain of rows that name none the model knows; else the target")
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

ModelRows::ModelRows(const Model& model, const ModelRowOptions& options,
                     const Execution& exec, LabelMap* labels)
    : reader_(open_for(model, options, labels)), pipeline_(*reader_, options.input, exec) {
  const std::uint32_t fallback = fallback_domain(model, options.as_domain);
  for (std::size_t slot = 0; slot < slots(); ++slot) {
    predictors_.emplace_back(model, fallback);
  }
}

void ModelRows::run(const RowPipeline::Step& work, const RowPipeline::Step& finish,
                    const std::function<void()>& paused, const CommonOptions& common) {
  pipeline_.run(work, finish, paused);
  std::size_t unseen = 0;
  for (const RowPredictor& predictor : predictors_) unseen += predictor.unseen();
  common.detail("{} not in the model and ignored", counted(unseen, "feature occurrence"));
}

}  // namespace megadapt::cli
