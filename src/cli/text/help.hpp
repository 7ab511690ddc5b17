#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace megadapt::cli {

/// Writes the --help of any command from the option tree.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// Returns megadapt(1) in mdoc, made from the option tree.
std::string man_page(const CLI::App& app);

/// Returns a bash script that completes commands, options, fixed choices and file names.
std::string bash_completion(const CLI::App& app);

}  // namespace megadapt::cli
