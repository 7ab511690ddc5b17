#pragma once

namespace megadapt {

/// Whether to use the inner loops for AVX2 and FMA: if this processor has both, unless the
/// environment variable MEGADAPT_FORCE_KERNELS says "baseline". Throws UsageError if it says
/// "avx2" and the processor has not, or if it says anything else.
bool use_avx2();

}  // namespace megadapt
