// Compiled with AVX2 and FMA; called only on processors that have both.
#include <cmath>

#include "optimize/kernels.hpp"

namespace megadapt::avx2 {
#include "optimize/kernels_impl.hpp"
}  // namespace megadapt::avx2
