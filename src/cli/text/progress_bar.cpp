#include "cli/text/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/standard_streams.hpp"

namespace megadapt::cli {
namespace {

constexpr int kBarWidth = 30;
constexpr auto kRedrawEvery = std::chrono::milliseconds(100);
constexpr auto kPrintEvery = std::chrono::seconds(10);  // where it is not a terminal
constexpr double kTooEarlyToTell = 0.01;

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

// Returns "3 min 20 s left", or nothing if it is too early to tell or all is done.
std::string time_left(double fraction, double seconds) {
  if (fraction < kTooEarlyToTell || fraction >= 1) return {};
  return duration_text(seconds * (1 - fraction) / fraction) + " left";
}

}  // namespace

std::string progress_line(const Progress& progress, double seconds) {
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(fraction * kBarWidth);
  std::string line = fmt::format("{:<20.20} [{:<{}}] {:3.0f}%", progress.stage,
                                 std::string(filled, '#'), kBarWidth, 100 * fraction);
  const std::string left = time_left(fraction, seconds);
  if (!left.empty()) line += "  " + left;
  return line;
}

std::string progress_text(const Progress& progress, double seconds) {
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const std::string left = time_left(fraction, seconds);
  return fmt::format("{}: {:.0f}%{}{}", progress.stage, 100 * fraction,
                     left.empty() ? "" : ", ", left);
}

ProgressBar::ProgressBar(bool quiet)
    : shown_(!quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::update(const Progress& progress) {
  if (!shown_) return;
  const auto now = Clock::now();
  const bool new_stage = progress.stage != stage_;
  if (new_stage) {
    stage_ = progress.stage;
    stage_start_ = now;
  }
  const bool redraw = terminal_ && (new_stage || !drawn_);
  if (!redraw && now - last_drawn_ < (terminal_ ? kRedrawEvery : kPrintEvery)) return;
  last_drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  if (!terminal_) return tell(printable(progress_text(progress, seconds)) + "\n");
  tell("\r\x1b[K" + printable(progress_line(progress, seconds)));
  drawn_ = true;
}

void ProgressBar::clear() {
  if (drawn_) tell("\r\x1b[K");
  drawn_ = false;
}

}  // namespace megadapt::cli
