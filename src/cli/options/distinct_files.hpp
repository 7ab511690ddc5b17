#pragma once

#include <CLI/CLI.hpp>

namespace megadapt::cli {

/// Throws UsageError if a file that the parsed command writes is also one that it reads, or
/// another that it writes. Links to one file count as the same file.
void refuse_shared_files(const CLI::App& command);

}  // namespace megadapt::cli
