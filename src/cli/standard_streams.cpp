#include "cli/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace megadapt::cli {
namespace {

/// While one lives, a write of this thread to a pipe without a reader fails with EPIPE
/// instead of ending the program.
class NoBrokenPipe {
 public:
  NoBrokenPipe() noexcept {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    const timespec no_wait{};
    sigtimedwait(&pipe_, nullptr, &no_wait);  // takes back the signal of a failed write
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
};

// C0 controls and DEL are one byte; C1 controls (U+0080 to U+009F) are 0xc2 and a byte.
std::size_t control_bytes(std::string_view rest) {
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (byte == '\n' || byte == '\t') return 0;
  if (byte < 0x20 || byte == 0x7f) return 1;
  if (byte != 0xc2 || rest.size() < 2) return 0;
  const auto second = static_cast<unsigned char>(rest[1]);
  return second >= 0x80 && second <= 0x9f ? 2 : 0;
}

}  // namespace

// open() returns the lowest free descriptor. The wrong direction makes reads and writes
// fail with EBADF, as they would on the closed descriptor.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) {
      _exit(1);  // there is nowhere to say so
    }
  }
}

void tell(std::string_view text) noexcept {
  const NoBrokenPipe no_broken_pipe;
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t controls = control_bytes(text);
    for (std::size_t i = 0; i < controls; ++i) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    }
    if (controls == 0) shown += text[0];
    text.remove_prefix(controls == 0 ? 1 : controls);
  }
  return shown;
}

}  // namespace megadapt::cli
