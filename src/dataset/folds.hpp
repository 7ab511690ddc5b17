#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// Which rows must stay together: the unit of each of `rows`, numbered from 0. Rows of one
/// group are a unit, every other row is one of its own.
std::vector<std::uint32_t> units_of(const Dataset& data, std::span<const std::size_t> rows);

/// Deals `rows` of `data` into `folds` of about one size; returns the fold of each. Rows of
/// one group go to one fold. The deal depends on the rows and the seed alone, not on which
/// ranks have the rows; all ranks must take part.
std::vector<std::uint32_t> deal_folds(const Dataset& data,
                                      std::span<const std::size_t> rows,
                                      std::uint32_t folds, std::uint64_t seed,
                                      Communicator& ranks = serial_communicator());

}  // namespace megadapt
