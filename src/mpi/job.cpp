#include "mpi/job.hpp"

#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace megadapt {
namespace {

class Alone final : public Job {
 public:
  Communicator& ranks() override { return serial_communicator(); }
  int ranks_here() const override { return 1; }
  [[noreturn]] void abort(int exit_code) override { std::exit(exit_code); }
};

int number_in(std::initializer_list<const char*> variables, int otherwise) {
  for (const char* variable : variables) {
    const char* text = std::getenv(variable);
    if (!text) continue;
    const std::string_view digits(text);
    int number = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size()) return number;
  }
  return otherwise;
}

}  // namespace

std::unique_ptr<Job> Job::alone() { return std::make_unique<Alone>(); }

// Environment variables of Open MPI, and of the PMI of MPICH, Intel MPI and Slurm.
int launched_rank() { return number_in({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }
int launched_size() { return number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }

}  // namespace megadapt
