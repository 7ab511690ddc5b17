#pragma once

#include <string>
#include <vector>

namespace megadapt::downloads {

struct ProgramResult {
  int exit_code = 0;   ///< 127 when there is no such program
  std::string output;  ///< standard output and error together
};

/// Runs a program of PATH to its end in `folder`, without a shell and without input.
/// ResourceError when no process can be started.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::string& folder);

}  // namespace megadapt::downloads
