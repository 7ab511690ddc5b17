#include "optimize/kernels.hpp"

#include "base/processor.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {

namespace baseline {
const Kernels<float>& choose_float(std::uint32_t stride);
const Kernels<double>& choose_double(std::uint32_t stride);
}  // namespace baseline

#ifdef MEGADAPT_AVX2
namespace avx2 {
const Kernels<float>& choose_float(std::uint32_t stride);
const Kernels<double>& choose_double(std::uint32_t stride);
}  // namespace avx2
#endif

template <>
const Kernels<float>& kernels_for(std::uint32_t num_labels) {
#ifdef MEGADAPT_AVX2
  if (use_avx2()) return avx2::choose_float(label_stride(num_labels));
#endif
  return baseline::choose_float(label_stride(num_labels));
}

template <>
const Kernels<double>& kernels_for(std::uint32_t num_labels) {
#ifdef MEGADAPT_AVX2
  if (use_avx2()) return avx2::choose_double(label_stride(num_labels));
#endif
  return baseline::choose_double(label_stride(num_labels));
}

}  // namespace megadapt
