#pragma once

#include <span>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Returns the chosen rows; they share the schema and recipe of `data`. Dataset::text is
/// left out.
Dataset select_rows(const Dataset& data, std::span<const std::size_t> rows);

}  // namespace megadapt
