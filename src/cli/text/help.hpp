#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace megadapt::cli {

/// Writes the --help of any command from the option tree.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// A manual page in mdoc.
struct ManPage {
  std::string name;  ///< megadapt, megadapt-train, ...
  std::string text;
};

/// Returns megadapt(1) and a page of each command, made from the option tree.
std::vector<ManPage> man_pages(const CLI::App& app);

/// The shells that completion_script() knows.
std::vector<std::string> completion_shells();

/// Returns a script of `shell` that completes commands, options, fixed choices, systems,
/// corpora and file names.
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace megadapt::cli
