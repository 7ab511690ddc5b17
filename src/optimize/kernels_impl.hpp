// Included once per instruction set, inside a namespace of that name (kernels_baseline.cpp,
// kernels_avx2.cpp). Do not use templates of the standard library here: the linker would
// merge them across instruction sets.

// A vector of `Lanes` numbers. `loose` may be unaligned.
template <class Real, int Lanes>
struct Vector;
#define MEGADAPT_VECTOR(real, lanes)                                      \
  template <>                                                             \
  struct Vector<real, lanes> {                                            \
    typedef real type __attribute__((vector_size(sizeof(real) * lanes))); \
    typedef real loose __attribute__((vector_size(sizeof(real) * lanes),  \
                                      aligned(sizeof(real)), may_alias)); \
  };
MEGADAPT_VECTOR(float, 2)
MEGADAPT_VECTOR(float, 4)
MEGADAPT_VECTOR(float, 8)
MEGADAPT_VECTOR(double, 2)
MEGADAPT_VECTOR(double, 4)
#undef MEGADAPT_VECTOR

template <class Real>
constexpr int lanes_for(int stride) {
  if (stride == 2) return 2;
  return sizeof(Real) == 4 && stride % 8 == 0 && stride > 0 ? 8 : 4;
}

// acc += x * row for a row of `Stride` numbers: wide vectors, then a narrow one.
template <class Real, int Stride>
struct Sum {
  static constexpr int kLanes = Stride < 4 ? 2 : sizeof(Real) == 4 && Stride >= 8 ? 8 : 4;
  static constexpr int kVectors = Stride / kLanes;
  static constexpr int kWhole = kVectors * kLanes;
  using V = typename Vector<Real, kLanes>::type;
  using Loose = typename Vector<Real, kLanes>::loose;
  using Narrow = typename Vector<Real, 4>::type;
  using LooseNarrow = typename Vector<Real, 4>::loose;
  V acc[kVectors] = {};
  Narrow tail = {};

  void add(const Real* row) {
    for (int v = 0; v < kVectors; ++v) {
      acc[v] += *reinterpret_cast<const Loose*>(row + v * kLanes);
    }
    if constexpr (kWhole < Stride) {
      tail += *reinterpret_cast<const LooseNarrow*>(row + kWhole);
    }
  }
  void add(const Real* row, Real x) {
    for (int v = 0; v < kVectors; ++v) {
      acc[v] += x * *reinterpret_cast<const Loose*>(row + v * kLanes);
    }
    if constexpr (kWhole < Stride) {
      tail += x * *reinterpret_cast<const LooseNarrow*>(row + kWhole);
    }
  }
  void add(const Sum& other) {
    for (int v = 0; v < kVectors; ++v) acc[v] += other.acc[v];
    tail += other.tail;
  }
  void store(Real* out) const {
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Loose*>(out + v * kLanes) = acc[v];
    if constexpr (kWhole < Stride) *reinterpret_cast<LooseNarrow*>(out + kWhole) = tail;
  }
  void add_to(Real* out) const {
    for (int v = 0; v < kVectors; ++v)
      *reinterpret_cast<Loose*>(out + v * kLanes) += acc[v];
    if constexpr (kWhole < Stride) *reinterpret_cast<LooseNarrow*>(out + kWhole) += tail;
  }
};

template <class Real, int Stride>
void scores(const std::uint64_t* begin, const std::uint32_t* feature, const float* value,
            const Real* weight, std::uint32_t, std::size_t first, std::size_t last,
            Real* score) {
  for (std::size_t n = first; n < last; ++n, score += Stride) {
    std::size_t i = begin[n];
    const std::size_t end = begin[n + 1];
    Sum<Real, Stride> a, b;
    if (value) {
      for (; i < end; ++i) a.add(weight + std::size_t{feature[i]} * Stride, Real(value[i]));
    } else {
      for (; i + 1 < end; i += 2) {
        a.add(weight + std::size_t{feature[i]} * Stride);
        b.add(weight + std::size_t{feature[i + 1]} * Stride);
      }
      if (i < end) a.add(weight + std::size_t{feature[i]} * Stride);
      a.add(b);
    }
    a.store(score);
  }
}

template <class Real>
void scores_any(const std::uint64_t* begin, const std::uint32_t* feature,
                const float* value, const Real* weight, std::uint32_t stride,
                std::size_t first, std::size_t last, Real* score) {
  for (std::size_t n = first; n < last; ++n, score += stride) {
    for (std::uint32_t k = 0; k < stride; ++k) score[k] = 0;
    for (std::size_t i = begin[n]; i < begin[n + 1]; ++i) {
      const Real x = value ? Real(value[i]) : Real(1);
      const Real* row = weight + std::size_t{feature[i]} * stride;
      for (std::uint32_t k = 0; k < stride; ++k) score[k] += x * row[k];
    }
  }
}

template <class Real, int Stride, bool Squared>
void column_sums(TiledRows::Piece piece, const Real* row_value, std::uint32_t, Real* sum) {
  const std::uint16_t* row = piece.row;
  const float* value = piece.value;
  for (const TiledRows::Run* run = piece.begin; run != piece.end; ++run) {
    const std::uint32_t count = run->count;
    Sum<Real, Stride> a, b;
    std::uint32_t i = 0;
    if (value) {
      for (; i < count; ++i) {
        const Real x = Real(value[i]);
        a.add(row_value + std::size_t{row[i]} * Stride, Squared ? x * x : x);
      }
      value += count;
    } else {
      for (; i + 1 < count; i += 2) {
        a.add(row_value + std::size_t{row[i]} * Stride);
        b.add(row_value + std::size_t{row[i + 1]} * Stride);
      }
      if (i < count) a.add(row_value + std::size_t{row[i]} * Stride);
      a.add(b);
    }
    a.add_to(sum + std::size_t{run->feature} * Stride);
    row += count;
  }
}

template <class Real, bool Squared>
void column_sums_any(TiledRows::Piece piece, const Real* row_value, std::uint32_t stride,
                     Real* sum) {
  const std::uint16_t* row = piece.row;
  const float* value = piece.value;
  for (const TiledRows::Run* run = piece.begin; run != piece.end; ++run) {
    Real* out = sum + std::size_t{run->feature} * stride;
    for (std::uint32_t i = 0; i < run->count; ++i, ++row) {
      Real x = value ? Real(*value++) : Real(1);
      if (Squared) x *= x;
      const Real* from = row_value + std::size_t{*row} * stride;
      for (std::uint32_t k = 0; k < stride; ++k) out[k] += x * from[k];
    }
  }
}

// The integer vector with as many lanes as a float vector.
template <int Lanes>
struct Integers {
  typedef std::int32_t type __attribute__((vector_size(4 * Lanes)));
};

template <int Lanes>
typename Vector<double, Lanes>::type exponential(typename Vector<double, Lanes>::type x) {
  for (int k = 0; k < Lanes; ++k) x[k] = std::exp(x[k]);
  return x;
}

// exp on [-87, 0] to about 1e-7: 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2] (the
// coefficients of Cephes' expf).
template <int Lanes>
typename Vector<float, Lanes>::type exponential(typename Vector<float, Lanes>::type x) {
  using Int = typename Integers<Lanes>::type;
  x = x < -87.0f ? x - x - 87.0f : x;
  const auto n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;  // rounds to an integer
  const auto r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  auto p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const Int power = (__builtin_convertvector(n, Int) + 127) << 23;
  return p * reinterpret_cast<typename Vector<float, Lanes>::type>(power);
}

// Returns the sum of `stride` numbers in a fixed order; `stride` is 2 or a multiple of 4.
template <class Real>
Real total_of(const Real* x, std::uint32_t stride) {
  if (stride == 2) return x[0] + x[1];
  Real lane[4] = {x[0], x[1], x[2], x[3]};
  for (std::uint32_t k = 4; k < stride; k += 4) {
    for (std::uint32_t j = 0; j < 4; ++j) lane[j] += x[k + j];
  }
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

template <class Real>
Real largest_of(const Real* x, std::uint32_t stride) {
  if (stride == 2) return x[0] > x[1] ? x[0] : x[1];
  Real lane[4] = {x[0], x[1], x[2], x[3]};
  for (std::uint32_t k = 4; k < stride; k += 4) {
    for (std::uint32_t j = 0; j < 4; ++j) lane[j] = x[k + j] > lane[j] ? x[k + j] : lane[j];
  }
  const Real a = lane[0] > lane[2] ? lane[0] : lane[2];
  const Real b = lane[1] > lane[3] ? lane[1] : lane[3];
  return a > b ? a : b;
}

// Returns one row's loss; stores its log p(y_n | x_n) if wanted.
template <class Real>
double count_row(Real total, double gold_score, Real row_weight, double* log_likelihood) {
  const double log_p = gold_score - std::log(double(total));
  if (log_likelihood) *log_likelihood = log_p;
  return -double(row_weight) * log_p;
}

template <class Real, int Stride>
double softmax(Real* score, const std::uint32_t* label, const Real* row_weight,
               std::size_t count, std::uint32_t num_labels, std::uint32_t,
               double* log_likelihood) {
  constexpr int kLanes = Stride == 2 ? 2 : lanes_for<Real>(Stride);
  using V = typename Vector<Real, kLanes>::type;
  using Loose = typename Vector<Real, kLanes>::loose;
  alignas(32) Real is_label[Stride];  // 1 for a label, 0 for padding
  alignas(32) Real penalty[Stride];   // keeps padding from being the largest
  for (std::uint32_t k = 0; k < Stride; ++k) {
    is_label[k] = k < num_labels ? 1 : 0;
    penalty[k] = k < num_labels ? Real(0) : Real(-1e30);
  }
  double loss = 0;
  for (std::size_t n = 0; n < count; ++n, score += Stride) {
    alignas(32) Real shifted[Stride];
    for (int k = 0; k < Stride; ++k) shifted[k] = score[k] + penalty[k];
    const Real most = largest_of(shifted, Stride);
    const double gold = double(score[label[n]]) - double(most);
    for (int k = 0; k < Stride; k += kLanes) {
      const V e = exponential<kLanes>(*reinterpret_cast<Loose*>(score + k) - most);
      *reinterpret_cast<Loose*>(shifted + k) = e * *reinterpret_cast<Loose*>(is_label + k);
    }
    const Real total = total_of(shifted, Stride);
    const Real inverse = Real(1) / total;
    for (int k = 0; k < Stride; ++k) score[k] = shifted[k] * inverse;
    loss += count_row(total, gold, row_weight[n],
                      log_likelihood ? log_likelihood + n : nullptr);
  }
  return loss;
}

template <class Real>
double softmax_any(Real* score, const std::uint32_t* label, const Real* row_weight,
                   std::size_t count, std::uint32_t num_labels, std::uint32_t stride,
                   double* log_likelihood) {
  using V = typename Vector<Real, 4>::type;
  using Loose = typename Vector<Real, 4>::loose;
  double loss = 0;
  for (std::size_t n = 0; n < count; ++n, score += stride) {
    Real most = score[0];
    for (std::uint32_t k = 1; k < num_labels; ++k) most = score[k] > most ? score[k] : most;
    const double gold = double(score[label[n]]) - double(most);
    for (std::uint32_t k = 0; k < stride; k += 4) {
      const V e = exponential<4>(*reinterpret_cast<Loose*>(score + k) - most);
      *reinterpret_cast<Loose*>(score + k) = e;
    }
    for (std::uint32_t k = num_labels; k < stride; ++k) score[k] = 0;
    const Real total = total_of(score, stride);
    const Real inverse = Real(1) / total;
    for (std::uint32_t k = 0; k < stride; ++k) score[k] *= inverse;
    loss += count_row(total, gold, row_weight[n],
                      log_likelihood ? log_likelihood + n : nullptr);
  }
  return loss;
}

// Below, Stride = 0 means a stride known only at run time, a multiple of 4.
template <class Real, int Stride>
void residuals(const Real* probability, const std::uint32_t* label, const Real* row_weight,
               std::size_t count, std::uint32_t any_stride, Real* out) {
  const std::uint32_t stride = Stride ? Stride : any_stride;
  for (std::size_t n = 0; n < count; ++n, probability += stride, out += stride) {
    const Real w = row_weight[n];
    for (std::uint32_t k = 0; k < stride; ++k) out[k] = w * probability[k];
    out[label[n]] -= w;
  }
}

template <class Real, int Stride>
void curvature(const Real* probability, const Real* row_weight, std::size_t count,
               std::uint32_t any_stride, Real* direction) {
  const std::uint32_t stride = Stride ? Stride : any_stride;
  for (std::size_t n = 0; n < count; ++n, probability += stride, direction += stride) {
    Real mean = 0;
    if constexpr (Stride > 0) {
      Real product[Stride];
      for (int k = 0; k < Stride; ++k) product[k] = probability[k] * direction[k];
      mean = total_of(product, Stride);
    } else {
      for (std::uint32_t k = 0; k < stride; ++k) mean += probability[k] * direction[k];
    }
    const Real w = row_weight[n];
    for (std::uint32_t k = 0; k < stride; ++k) {
      direction[k] = w * probability[k] * (direction[k] - mean);
    }
  }
}

template <class Real, int Stride>
void diagonal(const Real* probability, const Real* row_weight, std::size_t count,
              std::uint32_t any_stride, Real* out) {
  const std::uint32_t stride = Stride ? Stride : any_stride;
  for (std::size_t n = 0; n < count; ++n, probability += stride, out += stride) {
    for (std::uint32_t k = 0; k < stride; ++k) {
      out[k] = row_weight[n] * probability[k] * (Real(1) - probability[k]);
    }
  }
}

// H without one row's part. If that row is nearly all of H, rounding must not make the rest
// vanish or change sign.
template <class V>
V without(V hessian, V own) {
  const V left = hessian - own;
  const V least = hessian * 1e-6f;
  return left > least ? left : least;
}

template <class Real, int Stride>
void own_influence(const std::uint64_t* begin, const std::uint32_t* feature,
                   const float* value, const Influence<Real>& influence,
                   std::uint32_t any_stride, std::size_t first, std::size_t last,
                   Real* shift) {
  constexpr int kLanes = lanes_for<Real>(Stride);
  using V = typename Vector<Real, kLanes>::type;
  using Loose = typename Vector<Real, kLanes>::loose;
  const std::uint32_t stride = Stride ? Stride : any_stride;
  const auto load = [](const Real* at) -> V { return *reinterpret_cast<const Loose*>(at); };
  for (std::size_t n = first; n < last; ++n) {
    const std::size_t row = (n - first) * stride;
    for (std::uint32_t k = 0; k < stride; k += kLanes) {
      const V pull = load(influence.pull + row + k);
      const V own = load(influence.own + row + k);
      V sum = {};
      for (std::size_t i = begin[n]; i < begin[n + 1]; ++i) {
        const Real x = value ? Real(value[i]) : Real(1);
        const std::size_t at = std::size_t{feature[i]} * stride + k;
        V move = pull;
        if (influence.general_hessian) {
          move += influence.precision * load(influence.general_pull + row + k) /
                  without<V>(load(influence.general_hessian + at),
                             load(influence.general_own + row + k) * (x * x));
        }
        sum += (x * x) * move / without<V>(load(influence.hessian + at), own * (x * x));
      }
      *reinterpret_cast<Loose*>(shift + row + k) = sum;
    }
  }
}

// Eight running sums: the additions are independent, in the same order on every machine.
template <class Real, class Term>
double sum_terms(std::size_t count, Term term) {
  double lane[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) lane[k] += term(i + k);
  }
  for (std::size_t k = 0; i < count; ++i, ++k) lane[k] += term(i);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
         ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

template <class Real>
double dot(const Real* a, const Real* b, std::size_t count) {
  return sum_terms<Real>(count, [=](std::size_t i) { return double(a[i]) * double(b[i]); });
}

template <class Real>
double squared_distance(const Real* a, const Real* b, std::size_t count) {
  return sum_terms<Real>(count, [=](std::size_t i) {
    const double difference = double(a[i]) - double(b[i]);
    return difference * difference;
  });
}

template <class Real>
void add_scaled(Real scale, const Real* a, std::size_t count, Real* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] += scale * a[i];
}

template <class Real>
double cg_step(Real alpha, const Real* d, const Real* q, const Real* inverse,
               std::size_t count, Real* x, Real* r) {
  using Loose = typename Vector<Real, 4>::loose;
  using Wide = typename Vector<double, 4>::type;
  Wide sum[2] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t j = 0; j < 2; ++j) {
      const std::size_t at = i + 4 * j;
      *reinterpret_cast<Loose*>(x + at) += alpha * *reinterpret_cast<const Loose*>(d + at);
      const auto left = *reinterpret_cast<Loose*>(r + at) -
                        alpha * *reinterpret_cast<const Loose*>(q + at);
      *reinterpret_cast<Loose*>(r + at) = left;
      const auto scaled = left * *reinterpret_cast<const Loose*>(inverse + at);
      sum[j] += __builtin_convertvector(left, Wide) * __builtin_convertvector(scaled, Wide);
    }
  }
  const Wide both = sum[0] + sum[1];
  double total = (both[0] + both[1]) + (both[2] + both[3]);
  for (; i < count; ++i) {
    x[i] += alpha * d[i];
    r[i] -= alpha * q[i];
    total += double(r[i]) * double(r[i] * inverse[i]);
  }
  return total;
}

template <class Real>
void cg_direction(Real beta, const Real* r, const Real* inverse, std::size_t count,
                  Real* d) {
  for (std::size_t i = 0; i < count; ++i) d[i] = r[i] * inverse[i] + beta * d[i];
}

template <class Real, int Stride>
constexpr Kernels<Real> fixed_stride() {
  return {scores<Real, Stride>,
          column_sums<Real, Stride, false>,
          column_sums<Real, Stride, true>,
          softmax<Real, Stride>,
          residuals<Real, Stride>,
          curvature<Real, Stride>,
          diagonal<Real, Stride>,
          own_influence<Real, Stride>,
          dot<Real>,
          squared_distance<Real>,
          add_scaled<Real>,
          cg_step<Real>,
          cg_direction<Real>};
}

template <class Real>
const Kernels<Real>& choose(std::uint32_t stride) {
  static constexpr Kernels<Real> fixed[] = {
      fixed_stride<Real, 2>(),  fixed_stride<Real, 4>(),  fixed_stride<Real, 8>(),
      fixed_stride<Real, 12>(), fixed_stride<Real, 16>(), fixed_stride<Real, 20>(),
      fixed_stride<Real, 24>(), fixed_stride<Real, 28>(), fixed_stride<Real, 32>()};
  static constexpr Kernels<Real> any = {scores_any<Real>,
                                        column_sums_any<Real, false>,
                                        column_sums_any<Real, true>,
                                        softmax_any<Real>,
                                        residuals<Real, 0>,
                                        curvature<Real, 0>,
                                        diagonal<Real, 0>,
                                        own_influence<Real, 0>,
                                        dot<Real>,
                                        squared_distance<Real>,
                                        add_scaled<Real>,
                                        cg_step<Real>,
                                        cg_direction<Real>};
  return stride <= 32 ? fixed[stride / 4] : any;
}

const Kernels<float>& choose_float(std::uint32_t stride) { return choose<float>(stride); }
const Kernels<double>& choose_double(std::uint32_t stride) {
  return choose<double>(stride);
}
