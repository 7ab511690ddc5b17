#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "megadapt/classifier.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt::cli {

/// --task and what goes with it. A model keeps all of it.
struct TaskArguments {
  std::string task;                     ///< empty: ready-made features
  std::string features;                 ///< a file of templates; empty: the task's own
  std::vector<std::string> gazetteers;  ///< NAME=FILE
  std::string columns;
  std::string scheme;
  std::string language = "english";
  bool skip_bad = false;
};

void add_task_arguments(CLI::App& command, TaskArguments& arguments);
/// --skip-bad-lines.
void add_skip_bad_option(CLI::App& command, bool& skip_bad);

/// Reads the files that the arguments name. `format` is --format, or empty. Throws
/// InputError, UsageError.
TaskOptions task_options(const TaskArguments& arguments, const std::string& format);

/// For the provenance of a model.
std::vector<std::pair<std::string, std::string>> recorded_task(
    const TaskArguments& arguments);

/// The model for `command`, which must be one of a task.
Tagger tagger_for(const std::string& command, const std::string& path, bool verify);

}  // namespace megadapt::cli
