#pragma once

#include <span>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// places_of() returns each row's index among the rows of all ranks; runs_of() joins them.
std::vector<std::uint64_t> places_of(const Dataset& data);
std::vector<RowRun> runs_of(std::span<const std::uint64_t> places);

/// Returns one number per row of all ranks, in file order, on rank 0; nothing elsewhere.
std::vector<double> gather_rows(std::span<const double> own, std::span<const RowRun> runs,
                                Communicator& ranks);

/// Returns this rank's part of such numbers.
std::vector<double> scatter_rows(std::span<const double> all, std::span<const RowRun> runs);

}  // namespace megadapt
