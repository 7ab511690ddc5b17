#pragma once

#include <string>
#include <vector>

#include "cli/options/input_options.hpp"

namespace megadapt::cli {

/// The tokens or marked spans of `test` for people to read, each in its sentence; those of
/// the training files when `test` is empty, with nothing for domains but the target. None
/// without a task, or where a file is standard input, which cannot be read twice.
std::vector<std::string> row_texts(const InputOptions& options, const std::string& test);

}  // namespace megadapt::cli
