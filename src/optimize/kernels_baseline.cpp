#include <cmath>

#include "optimize/kernels.hpp"

namespace megadapt::baseline {
#include "optimize/kernels_impl.hpp"
}  // namespace megadapt::baseline
