#include "cli/text/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/standard_streams.hpp"

namespace megadapt::cli {
namespace {

constexpr int kBarWidth = 30;
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr double kTooEarlyToTell = 0.01;

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_line(const Progress& progress, double seconds) {
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(fraction * kBarWidth);
  std::string line = fmt::format("{:<20.20} [{:<{}}] {:3.0f}%", progress.stage,
                                 std::string(filled, '#'), kBarWidth, 100 * fraction);
  if (fraction >= kTooEarlyToTell && fraction < 1) {
    line += fmt::format("  {} left", duration_text(seconds * (1 - fraction) / fraction));
  }
  return line;
}

ProgressBar::ProgressBar(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

void ProgressBar::update(const Progress& progress) {
  if (!shown_) return;
  const auto now = Clock::now();
  if (progress.stage != stage_ || !drawn_) {
    stage_ = progress.stage;
    stage_start_ = now;
  } else if (now - last_drawn_ < kRedrawEvery) {
    return;
  }
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  tell("\r\x1b[K" + printable(progress_line(progress, seconds)));
  last_drawn_ = now;
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) tell("\r\x1b[K");
  drawn_ = false;
}

}  // namespace megadapt::cli
