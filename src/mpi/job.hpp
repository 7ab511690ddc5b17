#pragma once

#include <memory>

#include "megadapt/execution.hpp"

namespace megadapt {

/// The ranks that a launcher (mpirun, srun) started this program as; one when none did.
class Job {
 public:
  /// Waits for the other ranks. UsageError when there are some and this build has no MPI.
  static std::unique_ptr<Job> join();
  /// A job of one rank.
  static std::unique_ptr<Job> alone();

  virtual ~Job() = default;
  virtual Communicator& ranks() = 0;
  /// How many of the ranks share this machine.
  virtual int ranks_here() const = 0;
  /// Ends all ranks at once, whatever they wait for.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

/// What the launcher says before anybody has joined; 0 and 1 without one.
int launched_rank();
int launched_size();

}  // namespace megadapt
