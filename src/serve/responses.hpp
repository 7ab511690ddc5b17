#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http.hpp"

namespace megadapt::serve {

/// Thrown by a route; becomes an answer with this status.
struct Refusal {
  int status = 400;
  std::string problem = {};
  std::string fix = {};
  std::optional<std::size_t> row = {};  ///< index of the bad row, if it is one row
};

/// {"error": {"status", "problem", "fix", "row"}}
Response refused(const Refusal& refusal);

/// {"label":...} -> {"NAME":"TEXT","label":...}; unchanged when the text is empty.
std::string with_field(std::string_view name, std::string_view text,
                       const std::string& object);

/// Header fields of every answer. They forbid framing, embedding, content sniffing and
/// loading from other sites.
const std::vector<std::pair<std::string, std::string>>& security_fields();

}  // namespace megadapt::serve
