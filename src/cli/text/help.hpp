#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace megadapt::cli {

/// Writes --help of any command from the option tree.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace megadapt::cli
