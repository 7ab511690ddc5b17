#pragma once

#include <span>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Returns the chosen rows, with the schema and recipe of `data`, without Dataset::text.
Dataset select_rows(const Dataset& data, RowIds rows);

}  // namespace megadapt
