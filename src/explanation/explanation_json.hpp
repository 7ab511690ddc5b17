#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/explanation.hpp"

namespace megadapt {

/// to_json() as a value, for those who put it into a larger document.
nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace megadapt
