// Compiled with AVX2 and FMA; reached only on processors that have both.
#include <cmath>

#include "training/kernels.hpp"

namespace megadapt::avx2 {
#include "training/kernels_impl.hpp"
}  // namespace megadapt::avx2
