#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "cli/options/section.hpp"
#include "megadapt/execution.hpp"

namespace megadapt::cli {

/// The options that every command takes.
struct CommonOptions {
  int threads = 0;
  std::uint64_t seed = 1;
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  std::string command_line = {};                 ///< as typed, for provenance
  Communicator* ranks = &serial_communicator();  ///< that this program was started as

  /// Whether this rank is the one that prints and writes.
  bool speaks() const { return ranks->rank() == 0; }

  /// One line on stderr, unless --quiet.
  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) const {
    if (!quiet)
      fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
  }
  /// One line on stderr with --verbose.
  template <class... Args>
  void detail(fmt::format_string<Args...> format, Args&&... args) const {
    if (verbose)
      fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
  }
};

void add_common_options(CLI::App& command, CommonOptions& options);

/// -o,--output, which is standard output unless given.
void add_output_option(CLI::App& command, std::string& path);

/// A command with the options of all commands, its one-line purpose and its example.
CLI::App* new_command(CLI::App& parent, const std::string& name, const std::string& purpose,
                      const std::string& example, CommonOptions& options);

/// Of every system, in the order of --help.
std::vector<std::string> system_names();

/// "1956 rows", "1 row".
std::string counted(std::uint64_t count, const std::string& noun);

/// Refuses a place where a model cannot be written: better told before hours of training
/// than after.
void check_model_output(const std::string& path, const CommonOptions& common);

}  // namespace megadapt::cli
