#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "base/temporary.hpp"
#include "cli/failures.hpp"

namespace megadapt::cli {
namespace {

std::atomic<bool> stop_asked{false};
std::atomic<bool> stops_gracefully{false};
std::atomic<bool> hung_up{false};

static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not lock");

// Uses only calls that are safe in a signal handler.
void on_signal(int) {
  if (stops_gracefully.load() && !stop_asked.exchange(true)) return;
  unlink_noted_temporaries();
  constexpr std::string_view kText = "error: interrupted\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(kInterrupted);
}

void on_hangup(int) { hung_up = true; }

// A shell starts background jobs with SIGINT ignored, and nohup starts its program with
// SIGHUP ignored. Such signals stay ignored.
void handle_unless_ignored(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = 0;  // no SA_RESTART: a blocked read returns and checks the flag
  struct sigaction before {};
  sigaction(signal_number, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
}

}  // namespace

void handle_interrupts() {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    handle_unless_ignored(signal_number, on_signal);
  }
  // If the reader of a pipe goes away (head), end silently, even if the parent process
  // ignores SIGPIPE.
  signal(SIGPIPE, SIG_DFL);
  // A write beyond the limit on file sizes fails with EFBIG, and its file is cleaned up.
  signal(SIGXFSZ, SIG_IGN);
}

void leave_interrupts_to_launcher() {
  for (const int signal_number : {SIGINT, SIGTERM}) signal(signal_number, SIG_DFL);
}

GracefulStop::GracefulStop() { stops_gracefully = true; }
GracefulStop::~GracefulStop() { stops_gracefully = false; }

void handle_hangups() { handle_unless_ignored(SIGHUP, on_hangup); }
bool take_hangup() { return hung_up.exchange(false); }

const std::atomic<bool>* stop_flag() { return &stop_asked; }

}  // namespace megadapt::cli
