#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// What the systems learned from and were tested on: rows, labels, groups, repeated rows
/// and files of every domain, and of the test set where there is one.
nlohmann::ordered_json data_card_json(const Dataset& train, std::uint32_t target,
                                      const Dataset* test);

}  // namespace megadapt
