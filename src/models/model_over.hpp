#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "megadapt/model.hpp"

namespace megadapt {

/// Like load_model, for bytes in memory that must outlive the model. The caller sets
/// `storage`. `file` is the name in messages.
Model model_over(std::span<const std::byte> bytes, const std::string& file, bool verify);

}  // namespace megadapt
