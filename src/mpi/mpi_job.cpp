// The only file that includes MPI.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "mpi/job.hpp"

namespace megadapt {
namespace {

// MPI counts are ints, so longer arrays are sent in pieces.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 27;

template <class Body>
void in_pieces(std::size_t count, Body body) {
  for (std::size_t at = 0; at < count; at += kMostAtOnce) {
    body(at, static_cast<int>(std::min(kMostAtOnce, count - at)));
  }
}

// MPI errors end the job. That is MPI's default, and nothing better can be done.
class MpiRanks final : public Communicator {
 public:
  MpiRanks() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<double> values) override { sum(values, MPI_DOUBLE); }
  void sum(std::span<float> values) override { sum(values, MPI_FLOAT); }

  void send(int to, std::string_view message) override {
    const std::uint64_t size = message.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
    in_pieces(size, [&](std::size_t at, int count) {
      MPI_Send(message.data() + at, count, MPI_CHAR, to, 0, MPI_COMM_WORLD);
    });
  }

  std::string receive(int from) override {
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::string message(size, '\0');
    in_pieces(size, [&](std::size_t at, int count) {
      MPI_Recv(message.data() + at, count, MPI_CHAR, from, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    });
    return message;
  }

 private:
  template <class Real>
  void sum(std::span<Real> values, MPI_Datatype type) {
    in_pieces(values.size(), [&](std::size_t at, int count) {
      MPI_Allreduce(MPI_IN_PLACE, values.data() + at, count, type, MPI_SUM, MPI_COMM_WORLD);
    });
  }

  int rank_ = 0;
  int size_ = 1;
};

class MpiJob final : public Job {
 public:
  MpiJob() {
    // Only one thread calls reductions; the others compute.
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    ranks_ = std::make_unique<MpiRanks>();
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &ranks_here_);
    MPI_Comm_free(&here);
  }
  ~MpiJob() override { MPI_Finalize(); }

  Communicator& ranks() override { return *ranks_; }
  int ranks_here() const override { return ranks_here_; }
  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();  // not reached
  }

 private:
  std::unique_ptr<MpiRanks> ranks_;
  int ranks_here_ = 1;
};

}  // namespace

bool has_mpi() { return true; }

// Starting MPI takes time, so a program that was not launched by mpirun skips it.
std::unique_ptr<Job> Job::join() {
  if (launched_size() == 1) return alone();
  return std::make_unique<MpiJob>();
}

}  // namespace megadapt
