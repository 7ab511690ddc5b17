#pragma once

#include <string>

#include "serve/limits.hpp"

namespace megadapt::serve {

/// The OpenAPI 3.0 description of the routes, with the limits that hold.
std::string openapi_json(const Limits& limits);

}  // namespace megadapt::serve
