#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace megadapt::testing_support {

struct CommandResult {
  int exit_code = -1;  ///< 128 + the signal's number if a signal ended the program
  std::string out;
  std::string err;
};

/// A program that runs in parallel to the test, with pipes for its three streams.
class RunningCommand {
 public:
  /// `arguments[0]` is the program; `folder` its working directory.
  RunningCommand(const std::vector<std::string>& arguments, const std::string& folder);
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  /// Writes `text` to the program's standard input. It is no error if the program no longer
  /// reads.
  void write(const std::string& text);
  void close_input();
  void send_signal(int signal_number) const;
  /// Waits for the next line of standard output, or its end, and returns it.
  std::string read_line();
  /// The same on standard error.
  std::string read_error_line();
  /// Reads the rest of both outputs and waits for the program to end. Call close_input()
  /// first if the program reads to the end of its input.
  CommandResult finish();

 private:
  std::string read_line_from(int descriptor, std::string& seen) const;

  pid_t process_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::string out_text_;  // without the lines that read_line() has returned
  std::string err_text_;
};

/// Runs a program to its end, with `input` on its standard input.
CommandResult run_command(const std::vector<std::string>& arguments,
                          const std::string& folder, const std::string& input = {});

}  // namespace megadapt::testing_support
