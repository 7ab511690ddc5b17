// Compiled with AVX2 and FMA; called only on processors that have both.
#include "models/softmax.hpp"

namespace megadapt::avx2 {
#include "models/softmax_impl.hpp"
}  // namespace megadapt::avx2
