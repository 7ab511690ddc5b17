#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "cli/failures.hpp"

namespace megadapt::cli {
namespace {

std::atomic<bool> stop_asked{false};
std::atomic<bool> stops_gracefully{false};

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not lock");

// Only calls that are safe in a signal handler.
void on_signal(int) {
  if (stops_gracefully.load() && !stop_asked.exchange(true)) return;
  constexpr std::string_view kText = "error: interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(kInterrupted);
}

}  // namespace

void handle_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // a read that waits is woken up and can look at the flag
  for (const int signal_number : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal_number, nullptr, &before);
    // A shell starts background jobs with SIGINT ignored: leave it so.
    if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
  }
  // The reader of a pipe may go away (head); a program then ends without a word, even if
  // its parent ignores the signal.
  signal(SIGPIPE, SIG_DFL);
}

void leave_interrupts_to_launcher() {
  for (const int signal_number : {SIGINT, SIGTERM}) signal(signal_number, SIG_DFL);
}

GracefulStop::GracefulStop() { stops_gracefully = true; }
GracefulStop::~GracefulStop() { stops_gracefully = false; }

const std::atomic<bool>* stop_flag() { return &stop_asked; }

}  // namespace megadapt::cli
