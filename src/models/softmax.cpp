#include "models/softmax.hpp"

#include "base/processor.hpp"

namespace megadapt {

using SoftmaxRows = void (*)(const SoftmaxWeights&, const double*, const SoftmaxRow*,
                             std::size_t, double*, double*);

namespace baseline {
void softmax_rows(const SoftmaxWeights& weights, const double* score,
                  const SoftmaxRow* rows, std::size_t count, double* scratch,
                  double* probability);
}  // namespace baseline

#ifdef MEGADAPT_AVX2
namespace avx2 {
void softmax_rows(const SoftmaxWeights& weights, const double* score,
                  const SoftmaxRow* rows, std::size_t count, double* scratch,
                  double* probability);
}  // namespace avx2
#endif

namespace {

SoftmaxRows choose_softmax() {
#ifdef MEGADAPT_AVX2
  if (use_avx2()) return avx2::softmax_rows;
#endif
  return baseline::softmax_rows;
}

}  // namespace

void softmax_rows(const SoftmaxWeights& weights, const double* score,
                  const SoftmaxRow* rows, std::size_t count, double* scratch,
                  double* probability) {
  static const SoftmaxRows chosen = choose_softmax();
  chosen(weights, score, rows, count, scratch, probability);
}

}  // namespace megadapt
