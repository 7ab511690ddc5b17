#pragma once

#include <cstddef>
#include <cstdint>

namespace megadapt {

/// The weights of a maximum entropy model, as the kernel reads them.
struct SoftmaxWeights {
  const float* all;  // [F][stride], padding is 0
  std::size_t num_features;
  std::uint32_t num_labels;
  std::uint32_t stride;  // 2, or a multiple of 4
};

/// The features of an extension; `value` is null when every value is 1.
struct SoftmaxRow {
  const std::uint32_t* feature;
  const float* value;
  std::size_t size;
};

/// For each row writes p(y) = exp(s_y) / sum_y exp(s_y) with s = score + sum_f x_f
/// weights[f], as [rows][labels]. `score` is [stride], `scratch` at least [stride + 4].
/// Chosen for this processor. Exponents below -708 count as -708.
void softmax_rows(const SoftmaxWeights& weights, const double* score,
                  const SoftmaxRow* rows, std::size_t count, double* scratch,
                  double* probability);

}  // namespace megadapt
