// Replaces the front end when it is not built (-DMEGADAPT_WEB=OFF).
#include "web/assets.hpp"

namespace megadapt {

std::span<const Asset> assets() { return {}; }

}  // namespace megadapt
