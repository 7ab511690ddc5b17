#pragma once

#include <span>
#include <vector>

#include "megadapt/systems.hpp"

namespace megadapt {

/// With fewer target rows than this, their likelihood says too little to find weights.
inline constexpr double kFewestRowsToTell = 4;

/// Returns the weights w of the convex combination that maximise sum_n v_n log sum_m w_m
/// p_mn. EM finds the global maximum because the problem is concave. `probability`
/// [members][rows] holds p of each row's own label. Sums go over the rows of all ranks.
std::vector<double> combination_weights(const std::vector<std::vector<double>>& probability,
                                        std::span<const double> row_weight,
                                        Communicator& ranks = serial_communicator());

/// Returns p(y_n | x_n) for every target row, in the order of rows_of(target), predicted by
/// `systems` fitted without the row's fold: [systems][rows]. Groups stay together.
std::vector<std::vector<double>> out_of_fold(
    const Dataset& data, std::uint32_t target,
    const std::vector<std::pair<const System*, Options>>& systems, int folds,
    std::uint64_t seed, const FitContext& context);

}  // namespace megadapt
