#pragma once

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Replaces real-valued features by indicators of `bins` quantiles of their values.
void bin_values(Dataset& data, int bins);

/// Drops the features f with keep[f] false; the others keep their order. Returns the new id
/// of every old one; kNone if it was dropped.
std::vector<std::uint32_t> keep_features(Dataset& data, const std::vector<bool>& keep);

/// Drops features, except the bias, that occur in fewer than `min_count` rows of all ranks
/// together. Returns the new ids as keep_features() does.
std::vector<std::uint32_t> drop_rare_features(Dataset& data, int min_count,
                                              Communicator& ranks = serial_communicator());

}  // namespace megadapt
