#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serve/http.hpp"

namespace megadapt::serve {

/// Thrown by a route; becomes an answer with this status.
struct Refusal {
  int status = 400;
  std::string problem = {};
  std::string fix = {};
  std::optional<std::size_t> row = {};  ///< from 0, where one row is to blame
};

/// {"error": {"status", "problem", "fix", "row"}}
Response refused(const Refusal& refusal);

/// Fields that every answer carries: nothing may be embedded, framed, sniffed or loaded
/// from elsewhere.
const std::vector<std::pair<std::string, std::string>>& security_fields();

}  // namespace megadapt::serve
