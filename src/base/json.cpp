#include "base/json.hpp"

namespace megadapt {

bool nested_deeper(std::string_view json, std::size_t most) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    switch (json[at]) {
      case '"':
        for (++at; at < json.size() && json[at] != '"'; ++at) at += json[at] == '\\';
        break;
      case '[':
      case '{':
        if (++depth > most) return true;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
    }
  }
  return false;
}

}  // namespace megadapt
