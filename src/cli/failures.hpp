#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace megadapt::cli {

/// Runs the command. Any exception becomes a message on stderr and an exit code.
int run_reporting_failures(const std::function<int()>& action);

/// Makes an exception that nobody can catch end the program with a message and an exit code
/// instead of an abort: CLI11 allocates in functions that promise not to throw.
void report_uncaught();

/// Reports a command line that cannot be parsed and returns the exit code. Prints help or
/// version if that was requested.
int report_parse_result(const CLI::App& app, const CLI::ParseError& error);

enum ExitCode : int {
  kSuccess = 0,
  kOurFault = 1,       ///< a bug
  kBadInput = 2,       ///< wrong usage or bad input
  kBadModel = 3,       ///< the model file is damaged, of another kind or newer
  kCheckFailed = 4,    ///< of --strict or diff --max-lost
  kNoResource = 5,     ///< out of memory, time or disk
  kInterrupted = 130,  ///< Ctrl-C
};

}  // namespace megadapt::cli
