#include "base/processor.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "megadapt/error.hpp"

namespace megadapt {
namespace {

bool has_avx2() {
  const ProcessorFeatures features = processor_features();
  return features.avx2 && features.fma;
}

}  // namespace

ProcessorFeatures processor_features() {
#if defined(__x86_64__)
  return {.avx2 = __builtin_cpu_supports("avx2") != 0,
          .fma = __builtin_cpu_supports("fma") != 0};
#else
  return {};
#endif
}

bool use_avx2() {
  const char* value = std::getenv("MEGADAPT_FORCE_KERNELS");
  const std::string_view forced = value ? value : "";
  if (forced.empty()) return has_avx2();
  if (forced == "baseline") return false;
  if (forced != "avx2") {
    throw UsageError(fmt::format("MEGADAPT_FORCE_KERNELS is '{}'", forced),
                     "set it to baseline or avx2, or remove it");
  }
  if (has_avx2()) return true;
  throw UsageError("MEGADAPT_FORCE_KERNELS is 'avx2', but this processor has no AVX2",
                   "remove it");
}

}  // namespace megadapt
