#pragma once

#include <memory>

#include "megadapt/execution.hpp"

namespace megadapt {

/// The ranks that a launcher (mpirun, srun) started; a single rank without a launcher.
class Job {
 public:
  /// Waits for the other ranks. Throws UsageError if there are any and this build has no
  /// MPI.
  static std::unique_ptr<Job> join();
  /// Returns a job of one rank.
  static std::unique_ptr<Job> alone();

  virtual ~Job() = default;
  virtual Communicator& ranks() = 0;
  /// The number of ranks on this machine.
  virtual int ranks_here() const = 0;
  /// Ends all ranks at once, even if they are waiting.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// Whether this program was built with MPI.
bool has_mpi();

/// Rank and size as set by the launcher, known before join(); 0 and 1 without a launcher.
int launched_rank();
int launched_size();

}  // namespace megadapt
