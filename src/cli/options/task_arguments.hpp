#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "dataset/recipe_options.hpp"
#include "megadapt/classifier.hpp"

namespace megadapt::cli {

/// --skip-bad-lines.
void add_skip_bad_option(CLI::App& command, bool& skip_bad);

/// The model for `command`, which must be one of a task.
Tagger tagger_for(const std::string& command, const std::string& path, bool verify);

}  // namespace megadapt::cli
