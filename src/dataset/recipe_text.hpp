#pragma once

#include <string>
#include <string_view>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// A task or a recipe as one line of JSON, and back. Reading throws ModelFileError.
std::string to_text(const TaskOptions& task);
TaskOptions task_from_text(std::string_view text);
std::string to_text(const Recipe& recipe);
Recipe recipe_from_text(std::string_view text);

}  // namespace megadapt
