#pragma once

#include <span>
#include <vector>

#include "megadapt/systems.hpp"

namespace megadapt {

/// The weights of a convex combination that maximise sum_n v_n log sum_m w_m p_mn, by EM: a
/// concave problem, so this is the maximum. `probability` is [members][rows], of the rows'
/// own labels; sums go over the rows of all ranks.
std::vector<double> combination_weights(const std::vector<std::vector<double>>& probability,
                                        std::span<const double> row_weight,
                                        Communicator& ranks = serial_communicator());

/// p(y_n | x_n) of every target row, in the order of rows_of(target), from `systems` fitted
/// without the row's fold: [systems][rows]. Groups stay together.
std::vector<std::vector<double>> out_of_fold(
    const Dataset& data, std::uint32_t target,
    const std::vector<std::pair<const System*, Options>>& systems, int folds,
    std::uint64_t seed, const FitContext& context);

}  // namespace megadapt
