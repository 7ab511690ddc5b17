#include "downloads/run_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "megadapt/error.hpp"

namespace megadapt::downloads {
namespace {

constexpr int kNoSuchProgram = 127;

[[noreturn]] void cannot_run(const std::string& program) {
  throw ResourceError(
      fmt::format("cannot run {}: {}", program, std::generic_category().message(errno)),
      "close other programs and try again");
}

[[noreturn]] void become(char* const* arguments, const char* folder, int output) {
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (chdir(folder) == 0) execvp(arguments[0], arguments);
  _exit(kNoSuchProgram);
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::string& folder) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_run(arguments[0]);
  const pid_t process = fork();
  if (process < 0) cannot_run(arguments[0]);
  if (process == 0) become(pointers.data(), folder.c_str(), ends[1]);
  close(ends[1]);
  ProgramResult result;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t got = read(ends[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    result.output.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace megadapt::downloads
