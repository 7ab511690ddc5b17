#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace megadapt::cli {

/// Accessors of the option tree for help, manual page and completion. Options of the group
/// "" are hidden from all three.

using OptionGroup = std::pair<std::string, std::vector<const CLI::Option*>>;

/// Named options by group: a command's own first, the common ones last.
std::vector<OptionGroup> option_groups(const CLI::App& command);
std::vector<const CLI::Option*> arguments(const CLI::App& command);  ///< positional
std::vector<const CLI::App*> subcommands(const CLI::App& command);

/// The innermost command that was parsed.
const CLI::App& chosen_command(const CLI::App& app);

std::vector<std::string> option_names(const CLI::Option& option);  ///< "-o", "--output"
bool takes_value(const CLI::Option& option);
std::string value_name(const CLI::Option& option);  ///< "FILE"; "" for a flag
std::vector<std::string> choices(const CLI::Option& option);
bool takes_file(const CLI::Option& option);
std::string described(const CLI::Option& option);  ///< help text and default

/// Leaves the option out of a long --help; --help-all shows it. Returns the option.
CLI::Option* rare(CLI::Option* option, bool mark = true);
bool is_rare(const CLI::Option& option);

/// "megadapt model info".
std::string full_name(const CLI::App& command);
/// "megadapt predict [OPTIONS] MODEL [FILE]".
std::string usage(const CLI::App& command);

}  // namespace megadapt::cli
