// The objective of training, computed in two ways that must agree.

#include <cmath>
#include <cstring>

#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent_objective.hpp"

namespace megadapt::fuzz {
namespace {

constexpr std::uint32_t kFeatures = 16;

// Rows, labels, weights and a point, all from the bytes of one input.
struct Problem {
  std::uint32_t num_labels = 2;
  SparseRows rows;
  std::vector<std::size_t> ids;
  std::vector<std::uint32_t> label;
  std::vector<double> row_weight;
  std::vector<double> point;
};

// Between -2 and 2, from one byte.
double small_number(std::string_view bytes, std::size_t at) {
  return bytes.empty() ? 0.5 : static_cast<signed char>(bytes[at % bytes.size()]) / 64.0;
}

// Every four bytes are a row, read again and again until there are `count` rows.
Problem problem_of(std::string_view bytes, std::size_t count) {
  Problem made;
  made.num_labels = static_cast<std::uint32_t>(2 + take_choice(bytes, 45));
  const bool has_values = take_choice(bytes, 2) == 1;
  for (std::size_t n = 0; n < count; ++n) {
    std::string_view row = bytes.substr(bytes.empty() ? 0 : 4 * n % bytes.size());
    made.label.push_back(static_cast<std::uint32_t>(take_choice(row, made.num_labels)));
    made.row_weight.push_back(static_cast<double>(take_choice(row, 8)) / 4);
    const std::size_t mask = 1 + take_choice(row, 255) + 256 * take_choice(row, 256);
    for (std::uint32_t f = 0; f < kFeatures; ++f) {
      if ((mask >> f & 1) == 0) continue;
      made.rows.feature.push_back(f);
      if (has_values)
        made.rows.value.push_back(static_cast<float>(small_number(bytes, n + f)));
    }
    made.rows.begin.push_back(made.rows.feature.size());
    made.ids.push_back(n);
  }
  const std::uint32_t stride = label_stride(made.num_labels);
  made.point.resize(kFeatures * stride);
  for (std::uint32_t f = 0; f < kFeatures; ++f) {
    for (std::uint32_t y = 0; y < made.num_labels; ++y) {
      made.point[f * stride + y] = small_number(bytes, 3 * f + 5 * y);
    }
  }
  return made;
}

// Value, gradient, diagonal and a product with the Hessian, in one list.
template <class Real>
std::vector<double> computed(const Problem& problem, const Execution& exec) {
  const TiledRows tiles(problem.rows,
                        separate_columns(problem.rows, kFeatures, problem.ids, exec),
                        problem.ids, label_stride(problem.num_labels), exec);
  const std::vector<Real> weight(problem.row_weight.begin(), problem.row_weight.end());
  const std::vector<Real> point(problem.point.begin(), problem.point.end());
  MaxentObjective<Real> objective(tiles, problem.label, weight, problem.num_labels, 1.0, {},
                                  {}, exec);
  const std::span<const Real> at(point.data(), objective.dimension());
  std::vector<double> all = {objective.value(at)};
  std::vector<Real> out(at.size());
  const auto keep = [&] { all.insert(all.end(), out.begin(), out.end()); };
  objective.gradient(at, out);
  keep();
  objective.hessian_diagonal(out);
  keep();
  all.push_back(objective.hessian_product(at, out));
  keep();
  return all;
}

}  // namespace

// The kernels for AVX2 and those for any processor agree to 1e-12 of the largest number.
void fuzz_kernels(std::string_view bytes) {
  static const Execution exec(1);
  const Problem problem = problem_of(bytes, 1 + bytes.size() % 9);
  const std::vector<double> usual = computed<double>(problem, exec);
  setenv("MEGADAPT_FORCE_KERNELS", "baseline", 1);
  const std::vector<double> baseline = computed<double>(problem, exec);
  unsetenv("MEGADAPT_FORCE_KERNELS");
  require(usual.size() == baseline.size());
  double most = 1;
  for (const double value : baseline) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < usual.size(); ++i) {
    require(std::isfinite(usual[i]) && std::abs(usual[i] - baseline[i]) <= 1e-12 * most);
  }
}

// One thread and three give the same bits.
void fuzz_threads(std::string_view bytes) {
  static const Execution one(1), three(3);
  const Problem problem = problem_of(bytes, 2500);  // more than two chunks of rows
  const std::vector<double> alone = computed<float>(problem, one);
  const std::vector<double> together = computed<float>(problem, three);
  require(alone.size() == together.size() &&
          std::memcmp(alone.data(), together.data(), alone.size() * sizeof(double)) == 0);
}

}  // namespace megadapt::fuzz
