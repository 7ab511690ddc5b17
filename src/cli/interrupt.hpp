#pragma once

#include <atomic>

#include "megadapt/execution.hpp"

namespace megadapt::cli {

/// From now on Ctrl-C and SIGTERM end the program at once with exit code 130, except while
/// a GracefulStop lives.
void handle_interrupts();

/// For a rank of several: their launcher stops all of them when one has failed, which has
/// said why. The others go without a word.
void leave_interrupts_to_launcher();

/// While one lives, the first Ctrl-C or SIGTERM only sets stop_flag(), so that work under
/// way can clean up after itself; the second ends the program at once.
class GracefulStop {
 public:
  GracefulStop();
  ~GracefulStop();
  GracefulStop(const GracefulStop&) = delete;
  GracefulStop& operator=(const GracefulStop&) = delete;
};

/// For Execution::set_stop_flag.
const std::atomic<bool>* stop_flag();

/// Threads for work that the first Ctrl-C stops, while the execution lives.
class StoppableExecution : private GracefulStop, public Execution {
 public:
  explicit StoppableExecution(int threads) : Execution(threads) {
    set_stop_flag(stop_flag());
  }
};

}  // namespace megadapt::cli
