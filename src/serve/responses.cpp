#include "serve/responses.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"

namespace megadapt::serve {

Response refused(const Refusal& refusal) {
  nlohmann::ordered_json error{{"status", refusal.status}, {"problem", refusal.problem}};
  if (!refusal.fix.empty()) error["fix"] = refusal.fix;
  if (refusal.row) error["row"] = *refusal.row;
  return {.status = refusal.status,
          .body = json_text(nlohmann::ordered_json{{"error", error}}) + "\n"};
}

std::string with_field(std::string_view name, std::string_view text,
                       const std::string& object) {
  if (text.empty()) return object;
  return fmt::format(R"({{"{}":{},{})", name, json_text(nlohmann::json(text)),
                     object.substr(1));
}

const std::vector<std::pair<std::string, std::string>>& security_fields() {
  static const std::vector<std::pair<std::string, std::string>> fields = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
       "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
  };
  return fields;
}

}  // namespace megadapt::serve
