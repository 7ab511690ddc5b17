#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace megadapt::serve {

/// Limits for each client, so that one cannot starve the others.
struct Limits {
  std::size_t body_bytes = std::size_t{1} << 20;
  std::size_t header_bytes = std::size_t{16} << 10;
  std::size_t header_fields = 100;
  std::size_t rows = 1000;  ///< in one request
  std::size_t connections = 512;
  std::chrono::milliseconds request{10'000};  ///< to send a request or receive the answer
  std::chrono::milliseconds work{10'000};     ///< to compute an answer
  std::chrono::milliseconds idle{60'000};     ///< between requests of a connection
  std::chrono::milliseconds grace{10'000};    ///< for requests in progress at shutdown
};

/// Returns the OpenAPI 3.0 description of the routes, with these limits.
std::string openapi_json(const Limits& limits);

}  // namespace megadapt::serve
