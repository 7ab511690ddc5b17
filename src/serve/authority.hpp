#pragma once

#include <optional>
#include <string_view>

namespace megadapt::serve {

/// Returns the name in "name", "name:port", "[address]" or "[address]:port", without port
/// and brackets. Returns nothing for any other text, such as "[::1].example.com".
std::optional<std::string_view> name_in_authority(std::string_view authority);

/// Returns what follows "http://" or "https://" in the Origin field of a request, or nothing
/// for any other origin, such as "null".
std::optional<std::string_view> authority_of_origin(std::string_view origin);

/// Compares names of hosts: the case of ASCII letters does not matter.
bool same_name(std::string_view a, std::string_view b);

}  // namespace megadapt::serve
