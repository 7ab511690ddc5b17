#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace megadapt::serve {

/// An HTTP request as routes see it. The views are valid until it is answered.
struct Request {
  std::string_view method = {};  ///< "GET", "POST", ...
  std::string_view path = {};    ///< without the query
  std::string_view host = {};    ///< the Host field
  std::string_view origin = {};  ///< the Origin field, which pages send; empty without one
  std::string_view body = {};
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> fields = {};  ///< additional ones
};

}  // namespace megadapt::serve
