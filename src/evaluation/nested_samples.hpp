#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// `rows` in a random order that keeps the groups of `data` together, for nested samples.
std::vector<std::size_t> shuffled_rows(const Dataset& data, std::vector<std::size_t> rows,
                                       std::uint64_t seed);

/// How many of shuffled_rows() to take for a sample of about `size`: whole groups, at least
/// one, and never more for a smaller size.
std::size_t sample_size(const Dataset& data, const std::vector<std::size_t>& shuffled,
                        std::size_t size);

/// Sizes halved from `all` down to about 5, ascending, at most `most` of them.
std::vector<std::size_t> halved_sizes(std::size_t all, std::size_t most = 6);

}  // namespace megadapt
