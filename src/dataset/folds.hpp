#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// Returns the unit of each of `rows`, numbered from 0; the rows of a unit must stay
/// together. Rows of one group are a unit, every other row is a unit of its own.
std::vector<std::uint32_t> units_of(const Dataset& data, RowIds rows);

/// Deals `rows` of `data` into `folds` of about equal size and returns the fold of each
/// row. Rows of one group go to one fold. The result depends only on the rows and the seed,
/// not on which rank has which rows. All ranks must call it.
std::vector<std::uint32_t> deal_folds(const Dataset& data, RowIds rows, std::uint32_t folds,
                                      std::uint64_t seed,
                                      Communicator& ranks = serial_communicator());

}  // namespace megadapt
