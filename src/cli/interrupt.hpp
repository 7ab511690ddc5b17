#pragma once

#include <atomic>

#include "megadapt/execution.hpp"

namespace megadapt::cli {

/// After this call Ctrl-C and SIGTERM end the program at once with exit code 130, except
/// while a GracefulStop exists.
void handle_interrupts();

/// For one of several ranks: when a rank fails it prints why, and the launcher stops all
/// the others. They must end silently.
void leave_interrupts_to_launcher();

/// While one exists, the first Ctrl-C or SIGTERM only sets stop_flag(), so that running
/// work can clean up. The second ends the program at once.
class GracefulStop {
 public:
  GracefulStop();
  ~GracefulStop();
  GracefulStop(const GracefulStop&) = delete;
  GracefulStop& operator=(const GracefulStop&) = delete;
};

/// After this call SIGHUP no longer ends the program. take_hangup() returns whether one has
/// arrived since it was last called. A program started by nohup goes on ignoring SIGHUP.
void handle_hangups();
bool take_hangup();

/// For Execution::set_stop_flag.
const std::atomic<bool>* stop_flag();

/// An Execution whose work the first Ctrl-C stops.
class StoppableExecution : private GracefulStop, public Execution {
 public:
  explicit StoppableExecution(int threads) : Execution(threads) {
    set_stop_flag(stop_flag());
  }
};

}  // namespace megadapt::cli
