#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace megadapt::cli {

/// megadapt(1) in mdoc, from the option tree.
std::string man_page(const CLI::App& app);

}  // namespace megadapt::cli
