#pragma once

#include <span>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// The chosen rows of `data`, which share its schema and recipe. Dataset::text is left out.
Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows);

}  // namespace megadapt
