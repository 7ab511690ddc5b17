#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/streaming/row_pipeline.hpp"
#include "cli/streaming/row_predictor.hpp"
#include "megadapt/corpus.hpp"
#include "megadapt/model.hpp"

namespace megadapt::cli {

/// What commands that go through a file row by row are told about it.
struct RowOptions {
  std::string input = "-";
  std::string format;
  std::string output = "-";
  bool unlabelled = false;
};

/// The same where a model is used on the rows.
struct ModelRowOptions : RowOptions {
  std::string model;
  bool no_verify = false;
  std::string as_domain;
  bool digest = false;  // sha256() of the rows will be asked for
};

/// INPUT and --format; `what` are the rows in the help.
void add_row_options(CLI::App& command, RowOptions& options, const std::string& what);
/// MODEL, INPUT, --format and --as-domain.
void add_model_row_options(CLI::App& command, ModelRowOptions& options,
                           const std::string& what);
void add_unlabelled_option(CLI::App& command, RowOptions& options);
void add_output_option(CLI::App& command, RowOptions& options);

/// A model at work on the rows of a file, slot by slot of a RowPipeline.
class ModelRows {
 public:
  /// Rows that are read until standard input ends give up when stop_flag() is set.
  ModelRows(const Model& model, const ModelRowOptions& options, const Execution& exec,
            LabelMap* labels = nullptr);

  std::size_t slots() const { return pipeline_.slots(); }
  std::string sha256() const { return reader_->sha256(); }  ///< complete after run()
  RowPredictor& predictor(std::size_t slot) { return predictors_[slot]; }
  /// As RowPipeline::run; then tells with --verbose how many features were unknown.
  void run(const RowPipeline::Step& work, const RowPipeline::Step& finish,
           const std::function<void()>& paused, const CommonOptions& common);

 private:
  std::unique_ptr<RowReader> reader_;
  RowPipeline pipeline_;
  std::vector<RowPredictor> predictors_;
};

}  // namespace megadapt::cli
