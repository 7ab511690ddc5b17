#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/classifier.hpp"

namespace megadapt {

/// Like to_json(), as a value that can become part of a larger document.
nlohmann::ordered_json explanation_json(const Explanation& explanation);

}  // namespace megadapt
