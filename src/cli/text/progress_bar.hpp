#pragma once

#include <chrono>
#include <string>

#include "megadapt/systems.hpp"

namespace megadapt::cli {

/// Stage, bar and time left, on one line of the terminal that is drawn over and wiped at
/// the end. Silent when stderr is no terminal.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(const Progress& progress);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_start_;
  Clock::time_point last_drawn_;
};

/// The line for one moment, at most 79 columns; pure, for tests.
std::string progress_line(const Progress& progress, double seconds);

}  // namespace megadapt::cli
