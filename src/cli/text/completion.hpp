#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace megadapt::cli {

/// A bash script that completes commands, options, values with fixed choices and file
/// names.
std::string bash_completion(const CLI::App& app);

}  // namespace megadapt::cli
