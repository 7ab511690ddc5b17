#pragma once

#include <chrono>
#include <string>

#include "megadapt/systems.hpp"

namespace megadapt::cli {

/// Shows stage, bar and time left on one line of the terminal, which is redrawn and erased
/// at the end. If stderr is not a terminal, prints a line of text every ten seconds.
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
  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_start_;
  Clock::time_point last_drawn_ = Clock::now();
};

/// Returns the line to draw, at most 79 columns. `seconds` have passed since the stage began.
std::string progress_line(const Progress& progress, double seconds);

/// Returns the same as text, without a bar: "training: 50%, 30 s left".
std::string progress_text(const Progress& progress, double seconds);

}  // namespace megadapt::cli
