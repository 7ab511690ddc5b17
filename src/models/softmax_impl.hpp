// Included once per instruction set, inside a namespace of that name (softmax_baseline.cpp,
// softmax_avx2.cpp). Do not use templates of the standard library here: the linker would
// merge them across instruction sets.

typedef double Quad __attribute__((vector_size(32)));
typedef double LooseQuad __attribute__((vector_size(32), aligned(8), may_alias));
typedef float LooseFloats __attribute__((vector_size(16), aligned(4), may_alias));
typedef std::int64_t QuadBits __attribute__((vector_size(32)));

// exp(x) for x <= 0, to 3e-16 of its value. x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5
// * 2^52 leaves the rounded n in the low bits of the sum; a shift moves them to the
// exponent. exp(r) is its Taylor polynomial. Below -708 the result is exp(-708).
inline Quad exponential(Quad x) {
  constexpr double kRound = 0x1.8p52;
  const Quad least = {-708.0, -708.0, -708.0, -708.0};
  x = x < least ? least : x;
  const Quad shifted = x * 0x1.71547652b82fep0 + kRound;
  const Quad n = shifted - kRound;
  const Quad r = (x - n * 0x1.62e42fee00000p-1) - n * 0x1.a39ef35793c76p-33;
  Quad p = r * (1.0 / 479001600) + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return reinterpret_cast<Quad>(reinterpret_cast<QuadBits>(p) +
                                (reinterpret_cast<QuadBits>(shifted) << 52));
}

// s = score + sum_f x_f weights[f].
inline void add_row(const SoftmaxWeights& weights, const double* score, SoftmaxRow row,
                    double* s) {
  const std::uint32_t stride = weights.stride;
  for (std::uint32_t k = 0; k < stride; ++k) s[k] = score[k];
  for (std::size_t i = 0; i < row.size; ++i) {
    if (row.feature[i] >= weights.num_features) continue;
    const double x = row.value ? double(row.value[i]) : 1.0;
    const float* lambda = weights.all + std::size_t{row.feature[i]} * stride;
    std::uint32_t k = 0;
    for (; k + 4 <= stride; k += 4) {
      const auto quarter = *reinterpret_cast<const LooseFloats*>(lambda + k);
      *reinterpret_cast<LooseQuad*>(s + k) += x * __builtin_convertvector(quarter, Quad);
    }
    for (; k < stride; ++k) s[k] += x * double(lambda[k]);
  }
}

// Prefetches the weights of the next row.
inline void prefetch(const SoftmaxWeights& weights, SoftmaxRow row) {
  for (std::size_t i = 0; i < row.size; ++i) {
    if (row.feature[i] >= weights.num_features) continue;
    const float* lambda = weights.all + std::size_t{row.feature[i]} * weights.stride;
    for (std::uint32_t k = 0; k < weights.stride; k += 16) __builtin_prefetch(lambda + k);
  }
}

// Turns label scores into probabilities. Padding gets score -inf, so that it adds nothing.
inline void normalise(double* s, std::uint32_t num_labels, std::uint32_t width) {
  double highest = s[0];
  for (std::uint32_t k = 1; k < num_labels; ++k) highest = s[k] > highest ? s[k] : highest;
  for (std::uint32_t k = num_labels; k < width; ++k) s[k] = -__builtin_inf();
  Quad total = {};
  for (std::uint32_t k = 0; k < width; k += 4) {
    LooseQuad& part = *reinterpret_cast<LooseQuad*>(s + k);
    part = exponential(part - highest);
    total += part;
  }
  const double scale = 1 / ((total[0] + total[2]) + (total[1] + total[3]));
  for (std::uint32_t k = 0; k < width; k += 4) {
    *reinterpret_cast<LooseQuad*>(s + k) *= scale;
  }
}

void softmax_rows(const SoftmaxWeights& weights, const double* score,
                  const SoftmaxRow* rows, std::size_t count, double* scratch,
                  double* probability) {
  const std::uint32_t labels = weights.num_labels;
  const std::uint32_t width = (labels + 3) / 4 * 4;
  for (std::size_t row = 0; row < count; ++row, probability += labels) {
    if (row + 1 < count) prefetch(weights, rows[row + 1]);
    add_row(weights, score, rows[row], scratch);
    normalise(scratch, labels, width);
    for (std::uint32_t k = 0; k < labels; ++k) probability[k] = scratch[k];
  }
}
