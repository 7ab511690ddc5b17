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

// Uses only calls that are safe in a signal handler.
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
  action.sa_flags = 0;  // no SA_RESTART: a blocked read returns and checks the flag
  for (const int signal_number : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    sigaction(signal_number, nullptr, &before);
    // A shell starts background jobs with SIGINT ignored: leave it ignored.
    if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
  }
  // If the reader of a pipe goes away (head), end silently, even if the parent process
  // ignores SIGPIPE.
  signal(SIGPIPE, SIG_DFL);
}

void leave_interrupts_to_launcher() {
  for (const int signal_number : {SIGINT, SIGTERM}) signal(signal_number, SIG_DFL);
}

GracefulStop::GracefulStop() { stops_gracefully = true; }
GracefulStop::~GracefulStop() { stops_gracefully = false; }

const std::atomic<bool>* stop_flag() { return &stop_asked; }

}  // namespace megadapt::cli
