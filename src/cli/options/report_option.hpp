#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/atomic_file.hpp"

namespace megadapt::cli {

/// Adds --report FILE to a command whose result can be shown as a page.
void add_report_option(CLI::App& command, std::string& path);

/// A page that is written when the work is done. The file is opened at the start, so that
/// an unwritable path is reported at once. Does nothing for an empty path.
class ReportPage {
 public:
  explicit ReportPage(const std::string& path);
  bool wanted() const { return file_.has_value(); }
  void write(const std::string& result);

 private:
  std::optional<AtomicFile> file_;
};

/// Returns the command line, quoted as for a shell.
std::string shell_command(int argc, char** argv);

}  // namespace megadapt::cli
