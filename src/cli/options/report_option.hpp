#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "base/atomic_file.hpp"

namespace megadapt::cli {

/// --report FILE of the commands whose result can be looked at.
void add_report_option(CLI::App& command, std::string& path);

/// A page to be written when the work is done. Opened before it begins, so that a place
/// that cannot be written is told at once; does nothing for an empty path.
class ReportPage {
 public:
  explicit ReportPage(const std::string& path);
  bool wanted() const { return file_.has_value(); }
  void write(const std::string& result);

 private:
  std::optional<AtomicFile> file_;
};

/// The command line as one would type it into a shell.
std::string shell_command(int argc, char** argv);

}  // namespace megadapt::cli
