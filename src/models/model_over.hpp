#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "megadapt/model.hpp"

namespace megadapt {

/// load_model over bytes in memory, which must outlive the model; `storage` is left for the
/// caller. `file` is for messages.
Model model_over(std::span<const std::byte> bytes, const std::string& file, bool verify);

}  // namespace megadapt
