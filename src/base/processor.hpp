#pragma once

namespace megadapt {

/// Which instruction sets this processor has, of those that the inner loops can use.
struct ProcessorFeatures {
  bool avx2 = false;
  bool fma = false;
};
ProcessorFeatures processor_features();

/// Whether to use the inner loops for AVX2 and FMA: if this processor has both, unless the
/// environment variable MEGADAPT_FORCE_KERNELS says "baseline". Throws UsageError if it says
/// "avx2" and the processor lacks one of them, or if it says anything else.
bool use_avx2();

}  // namespace megadapt
