#pragma once

#include <functional>
#include <string>

#include "megadapt/error.hpp"

namespace megadapt::cli {

enum ExitCode : int {
  kSuccess = 0,
  kOurFault = 1,       ///< a bug
  kBadInput = 2,       ///< wrong usage or bad input
  kBadModel = 3,       ///< the model file is damaged, of another kind or newer
  kCheckFailed = 4,    ///< of doctor, --strict or diff --max-lost
  kNoResource = 5,     ///< out of memory, time or disk
  kInterrupted = 130,  ///< Ctrl-C
};

/// A check that the user asked for has failed: a warning with --strict, or --max-lost.
class CheckFailed : public Error {
 public:
  using Error::Error;
};

/// Runs the command. Any exception becomes a message on stderr and an exit code.
int run_reporting_failures(const std::function<int()>& action);

/// Makes an exception that nobody can catch end the program with a message and an exit code
/// instead of an abort: libraries allocate in functions that promise not to throw. Also makes
/// an abort remove the program's temporary files.
void report_uncaught();

/// Prints "error: ..." on stderr; returns the code.
int failed(ExitCode code, const std::string& text);

}  // namespace megadapt::cli
