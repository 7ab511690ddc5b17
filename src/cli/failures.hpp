#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace megadapt::cli {

/// Runs the command and turns whatever it throws into a message on stderr and an exit code.
int run_reporting_failures(const std::function<int()>& action);

/// The message and exit code of a command line that cannot be parsed; prints help and
/// version where they were asked for.
int report_parse_result(const CLI::App& app, const CLI::ParseError& error);

enum ExitCode : int {
  kSuccess = 0,
  kOurFault = 1,       ///< a bug
  kBadInput = 2,       ///< wrong usage or bad input
  kBadModel = 3,       ///< the model file is damaged, foreign or newer
  kNotConverged = 4,   ///< with --strict
  kNoResource = 5,     ///< memory, time or disk
  kInterrupted = 130,  ///< Ctrl-C
};

}  // namespace megadapt::cli
