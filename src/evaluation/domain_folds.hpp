#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Deals rows of several domains into folds so that each domain is spread evenly; returns
/// the fold of each row. Rows of one group or sentence, and rows with the same features,
/// share a fold: a classifier of the domain must not meet a held-out row's twin in
/// training, least of all one of the other domain.
std::vector<std::uint32_t> deal_domain_folds(const Dataset& data,
                                             std::span<const std::size_t> rows,
                                             std::uint32_t folds, std::uint64_t seed);

}  // namespace megadapt
