#pragma once

#include <string>

#include "cli/options/common_options.hpp"

namespace megadapt::cli {

/// Refuses a place where a model cannot be written: better told before hours of training
/// than after.
void check_model_output(const std::string& path, const CommonOptions& common);

}  // namespace megadapt::cli
