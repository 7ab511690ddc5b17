#pragma once

namespace megadapt::cli {

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
