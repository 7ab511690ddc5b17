#include <cmath>

#include "training/kernels.hpp"

namespace megadapt::baseline {
#include "training/kernels_impl.hpp"
}  // namespace megadapt::baseline
