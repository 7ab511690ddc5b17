#pragma once

#include <string_view>

namespace megadapt {

/// The version of the library and of the program, as in "0.1.0".
std::string_view version();

}  // namespace megadapt
