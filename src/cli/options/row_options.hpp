#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "inference/stream.hpp"
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

/// How the model opens the input; reading a pipe gives up when stop_flag() is set.
OpenOptions opening(const LoadedModel& model, const ModelRowOptions& options);
/// Tells with --verbose how many features the model did not know.
void tell_unseen(std::size_t unseen, const CommonOptions& common);

}  // namespace megadapt::cli
