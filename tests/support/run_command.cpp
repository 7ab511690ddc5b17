#include "support/run_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

namespace megadapt::testing_support {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe2");
  return ends;
}

void close_once(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

// Reads both outputs as they arrive, until both end. Reading one after the other could wait
// for ever on a program that has filled the other pipe.
void drain(int out, int err, std::string& out_text, std::string& err_text) {
  std::array<pollfd, 2> inputs{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  std::array<std::string*, 2> texts{&out_text, &err_text};
  while (inputs[0].fd >= 0 || inputs[1].fd >= 0) {
    if (poll(inputs.data(), inputs.size(), -1) < 0 && errno != EINTR) fail("poll");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].fd < 0 || inputs[i].revents == 0) continue;
      std::array<char, 65536> buffer;
      const ssize_t got = read(inputs[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      } else {
        inputs[i].fd = -1;  // poll() ignores negative descriptors
      }
    }
  }
}

}  // namespace

RunningCommand::RunningCommand(const std::vector<std::string>& arguments,
                               const std::string& folder) {
  signal(SIGPIPE, SIG_IGN);  // a program may end before it has read its input
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  auto in = make_pipe();
  auto out = make_pipe();
  auto err = make_pipe();
  process_ = fork();
  if (process_ < 0) fail("fork");
  if (process_ == 0) {
    // A job that a script starts with & ignores SIGINT, and nohup ignores SIGHUP. Programs
    // inherit this from the tests that start them, so restore the defaults.
    for (const int ignored : {SIGINT, SIGQUIT, SIGHUP, SIGTERM}) signal(ignored, SIG_DFL);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    if (chdir(folder.c_str()) == 0) execvp(pointers[0], pointers.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
}

RunningCommand::~RunningCommand() {
  close_once(in_);
  close_once(out_);
  close_once(err_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
}

void RunningCommand::write(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t got = ::write(in_, text.data() + written, text.size() - written);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;
    written += static_cast<std::size_t>(got);
  }
}

void RunningCommand::close_input() { close_once(in_); }

void RunningCommand::send_signal(int signal_number) const { kill(process_, signal_number); }

std::string RunningCommand::read_line_from(int descriptor, std::string& seen) const {
  while (seen.find('\n') == seen.npos) {
    char byte;
    if (read(descriptor, &byte, 1) != 1) break;
    seen += byte;
  }
  const std::size_t end = seen.find('\n');
  const std::string line = seen.substr(0, end);
  seen.erase(0, end == seen.npos ? end : end + 1);
  return line;
}

std::string RunningCommand::read_line() { return read_line_from(out_, out_text_); }
std::string RunningCommand::read_error_line() { return read_line_from(err_, err_text_); }

CommandResult RunningCommand::finish() {
  drain(out_, err_, out_text_, err_text_);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out_text_,
          err_text_};
}

CommandResult run_command(const std::vector<std::string>& arguments,
                          const std::string& folder, const std::string& input) {
  RunningCommand command(arguments, folder);
  // Write from a second thread: the program may block until its output is read.
  std::thread writer([&] {
    command.write(input);
    command.close_input();
  });
  struct Join {
    std::thread& thread;
    ~Join() { thread.join(); }
  };
  CommandResult result;
  {
    const Join join{writer};
    result = command.finish();
  }
  return result;
}

}  // namespace megadapt::testing_support
