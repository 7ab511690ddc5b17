#pragma once

#include <string>
#include <vector>

namespace megadapt::downloads {

struct ProgramResult {
  int exit_code = 0;   ///< 127 when there is no such program
  std::string output;  ///< standard output and error together
};

/// Finds a program in PATH, runs it in `folder` without a shell or input, and waits for its
/// end. Throws ResourceError if no process can be started.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::string& folder);

}  // namespace megadapt::downloads
