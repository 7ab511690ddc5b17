#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Pieces [first, last) of `rows` that are one sentence of `data` each.
std::vector<std::pair<std::size_t, std::size_t>> sentence_pieces(
    const Dataset& data, std::span<const std::size_t> rows);

}  // namespace megadapt
