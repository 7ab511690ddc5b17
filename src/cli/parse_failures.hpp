#pragma once

#include <CLI/CLI.hpp>

namespace megadapt::cli {

/// Reports a command line that cannot be parsed and returns the exit code. Prints help or
/// version if that was requested.
int report_parse_result(const CLI::App& app, const CLI::ParseError& error);

}  // namespace megadapt::cli
