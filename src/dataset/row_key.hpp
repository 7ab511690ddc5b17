#pragma once

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Rows with the same features, values and label have the same key; others hardly ever do,
/// which a warning can bear.
std::size_t row_key(const Dataset& data, std::size_t n);

}  // namespace megadapt
