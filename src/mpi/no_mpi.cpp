// The job of a build without MPI: one rank.
#include <fmt/format.h>

#include "megadapt/error.hpp"
#include "mpi/job.hpp"

namespace megadapt {

bool has_mpi() { return false; }

std::unique_ptr<Job> Job::join() {
  if (launched_size() > 1) {
    throw UsageError(
        fmt::format("this program was built without MPI but started as {} ranks",
                    launched_size()),
        "build it with MPI, as build/mpi/megadapt: scripts/build mpi megadapt_cli");
  }
  return alone();
}

}  // namespace megadapt
