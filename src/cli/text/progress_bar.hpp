#pragma once

#include <chrono>
#include <string>

#include "megadapt/systems.hpp"

namespace megadapt::cli {

/// Shows stage, bar and time left on one line of the terminal, which is redrawn and erased
/// at the end. Silent when stderr is not a terminal.
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

/// Returns the line to draw, at most 79 columns.
std::string progress_line(const Progress& progress, double seconds);

}  // namespace megadapt::cli
