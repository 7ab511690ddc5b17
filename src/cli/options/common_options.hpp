#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/failures.hpp"
#include "cli/options/section.hpp"
#include "cli/standard_streams.hpp"
#include "megadapt/error.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/warnings.hpp"

namespace megadapt::cli {

/// The options that every command takes.
struct CommonOptions {
  int threads = 0;
  std::uint64_t seed = 1;
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  bool strict = false;                           ///< warnings are errors
  std::string command_line = {};                 ///< as typed, for provenance
  Communicator* ranks = &serial_communicator();  ///< the ranks of this job

  /// Whether this is the rank that prints and writes.
  bool speaks() const { return ranks->rank() == 0; }

  /// Prints a line on stderr, unless --quiet.
  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) const {
    if (!quiet) tell(printable(fmt::format(format, std::forward<Args>(args)...)) + "\n");
  }
  /// Prints a likely mistake on stderr, unless --quiet, and remembers it for
  /// add_warnings(). Throws CheckFailed with --strict, on every rank.
  void warn(const Warning& warning) const;
  void warn(const std::vector<Warning>& warnings) const;
  void warn(const std::optional<Warning>& warning) const;
  /// Adds "warnings" to the result of a command: a list of {kind, problem, remedy}.
  void add_warnings(nlohmann::ordered_json& result) const;

  /// Prints a line on stderr with --verbose.
  template <class... Args>
  void detail(fmt::format_string<Args...> format, Args&&... args) const {
    if (verbose) tell(printable(fmt::format(format, std::forward<Args>(args)...)) + "\n");
  }

 private:
  std::shared_ptr<std::vector<Warning>> warnings_ =
      std::make_shared<std::vector<Warning>>();
};

void add_common_options(CLI::App& command, CommonOptions& options);

/// Adds -o,--output; the default is standard output.
void add_output_option(CLI::App& command, std::string& path);

/// Makes a command with the common options, its one-line purpose and its example.
CLI::App* new_command(CLI::App& parent, const std::string& name, const std::string& purpose,
                      const std::string& example, CommonOptions& options);

/// Adds -s,--system NAME, which is required.
CLI::Option* add_system_option(Section& section, std::string& system,
                               const std::string& help);

/// Returns the names of the training options that were typed.
std::vector<std::string> typed_options(const CLI::App& command);

/// "1956 rows", "1 row".
std::string counted(std::uint64_t count, const std::string& noun);

/// Throws UsageError if a model cannot be written to `path`: the user should know before
/// hours of training, not after.
void check_model_output(const std::string& path, const CommonOptions& common);

}  // namespace megadapt::cli
