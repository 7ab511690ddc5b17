#include "optimize/maxent_objective.hpp"

#include <gmock/gmock.h>

#include "megadapt/model.hpp"
#include "models/predictors.hpp"
#include "oracle/maxent.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::random_data;
using testing_support::RandomShape;

/// An objective over all rows of a data set, and everything it refers to.
template <class Real>
struct Problem {
  Problem(const Dataset& d, double variance, const Execution& exec, bool with_mean = false,
          std::size_t most_kept = kMostKeptBytes)
      : data(d),
        rows(all_rows(d)),
        weight(d.weight.begin(), d.weight.end()),
        stride(label_stride(d.num_labels())),
        tiles(d.rows, separate_columns(d.rows, d.num_features(), rows, exec), rows, stride,
              exec),
        mean(with_mean ? point(99) : std::vector<Real>()),
        objective(tiles, d.label, weight, d.num_labels(), variance, mean, {}, exec,
                  most_kept) {}

  std::vector<Real> point(std::uint64_t seed) const {
    Random random(seed);
    std::vector<Real> x(std::size_t{data.num_features()} * stride);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % stride < data.num_labels()) x[i] = static_cast<Real>(random.uniform() - 0.5);
    }
    return x;
  }

  std::vector<double> unpadded(const std::vector<Real>& x) const {
    std::vector<double> out;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % stride < data.num_labels()) out.push_back(static_cast<double>(x[i]));
    }
    return out;
  }

  const Dataset& data;
  std::vector<std::size_t> rows;
  std::vector<Real> weight;
  std::uint32_t stride;
  TiledRows tiles;
  std::vector<Real> mean;
  MaxentObjective<Real> objective;
};

// Every stride of the kernels, including the one known only at run time; rows with and
// without values; more than one tile (a tile has at least 4096 rows).
class MaxentObjectiveTest : public testing::TestWithParam<RandomShape> {
 protected:
  Execution exec_{2};
  Dataset data_ = random_data(GetParam(), 7);
};

INSTANTIATE_TEST_SUITE_P(
    Shapes, MaxentObjectiveTest,
    testing::Values(RandomShape{.labels = 2}, RandomShape{.labels = 3, .values = true},
                    RandomShape{.labels = 4, .weights = true}, RandomShape{.labels = 6},
                    RandomShape{.labels = 10, .values = true, .weights = true},
                    RandomShape{.labels = 15}, RandomShape{.labels = 17},
                    RandomShape{.labels = 22}, RandomShape{.labels = 28},
                    RandomShape{.labels = 32}, RandomShape{.rows = 60, .labels = 41},
                    RandomShape{.rows = 60, .labels = 37, .values = true},
                    RandomShape{.rows = 70000, .features = 5, .labels = 2}));

// With many labels the probabilities are computed again instead of kept.
TEST(MaxentObjectiveBlocks, HaveTheBitsOfKeptProbabilities) {
  const Execution exec(2);
  const Dataset data =
      random_data({.rows = 1500, .features = 5, .labels = 70, .values = true}, 7);
  ASSERT_FALSE(keeps_probabilities(1500, label_stride(70), sizeof(float), 0));
  Problem<float> kept(data, 0.7, exec), blocks(data, 0.7, exec, false, 0);
  const std::vector<float> at = kept.point(1), along = kept.point(2);
  EXPECT_EQ(kept.objective.value(at), blocks.objective.value(at));
  std::vector<float> a(at.size()), b(at.size());
  kept.objective.gradient(at, a);
  blocks.objective.gradient(at, b);
  EXPECT_EQ(a, b);
  kept.objective.hessian_diagonal(a);
  blocks.objective.hessian_diagonal(b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(kept.objective.hessian_product(along, a),
            blocks.objective.hessian_product(along, b));
  EXPECT_EQ(a, b);
}

TEST_P(MaxentObjectiveTest, ValueAgreesWithTheFormulaSummedLiterally) {
  Problem<double> p(data_, 0.7, exec_, true);
  const auto x = p.point(1);
  const std::vector<double> weight(p.weight.begin(), p.weight.end());
  const double expected = oracle::negative_log_posterior(
      data_, p.rows, weight, p.unpadded(x), 0.7, p.unpadded(p.mean));
  EXPECT_NEAR(p.objective.value(x), expected, 1e-10 * expected);

  Problem<float> single(data_, 0.7, exec_, true);
  const std::vector<float> xf(x.begin(), x.end());
  EXPECT_NEAR(single.objective.value(xf), expected, 2e-6 * expected);
}

TEST_P(MaxentObjectiveTest, GradientEqualsCentralDifferences) {
  Problem<double> p(data_, 0.7, exec_, true);
  auto x = p.point(2);
  std::vector<double> gradient(x.size());
  p.objective.value(x);
  p.objective.gradient(x, gradient);
  const double scale = static_cast<double>(data_.num_examples());
  for (std::size_t i = 0; i < std::min<std::size_t>(x.size(), 60); ++i) {
    if (i % p.stride >= data_.num_labels()) {
      EXPECT_EQ(gradient[i], 0) << "padding " << i;
      continue;
    }
    const double step = 1e-5;
    const double at = x[i];
    x[i] = at + step;
    const double up = p.objective.value(x);
    x[i] = at - step;
    const double down = p.objective.value(x);
    x[i] = at;
    EXPECT_NEAR(gradient[i], (up - down) / (2 * step), 1e-8 * scale) << "coordinate " << i;
  }
}

TEST_P(MaxentObjectiveTest, HessianProductEqualsDifferencesOfTheGradient) {
  Problem<double> p(data_, 0.7, exec_);
  const auto x = p.point(3);
  const auto v = p.point(4);
  std::vector<double> product(x.size()), up(x.size()), down(x.size());
  p.objective.value(x);
  const double curvature = p.objective.hessian_product(v, product);

  const double step = 1e-5;
  auto moved = x;
  for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[i] + step * v[i];
  p.objective.value(moved);
  p.objective.gradient(moved, up);
  for (std::size_t i = 0; i < x.size(); ++i) moved[i] = x[i] - step * v[i];
  p.objective.value(moved);
  p.objective.gradient(moved, down);

  double expected_curvature = 0;
  const double scale = static_cast<double>(data_.num_examples());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(product[i], (up[i] - down[i]) / (2 * step), 1e-7 * scale) << i;
    expected_curvature += v[i] * product[i];
  }
  EXPECT_NEAR(curvature, expected_curvature, 1e-9 * std::abs(expected_curvature));
}

TEST_P(MaxentObjectiveTest, DiagonalIsTheProductWithUnitVectors) {
  Problem<double> p(data_, 0.7, exec_);
  const auto x = p.point(5);
  std::vector<double> diagonal(x.size()), unit(x.size()), product(x.size());
  p.objective.value(x);
  p.objective.hessian_diagonal(diagonal);
  for (std::size_t i = 0; i < std::min<std::size_t>(x.size(), 40); ++i) {
    if (i % p.stride >= data_.num_labels()) continue;
    unit[i] = 1;
    p.objective.hessian_product(unit, product);
    EXPECT_NEAR(diagonal[i], product[i], 1e-9 * diagonal[i]);
    unit[i] = 0;
  }
}

TEST(MaxentObjective, HasTheSameBitsForAnyNumberOfThreads) {
  // Enough rows for two tiles.
  const Dataset data = random_data({.rows = 70'000, .features = 30, .labels = 5}, 3);
  std::vector<std::vector<float>> gradients, products;
  std::vector<double> values;
  for (const int threads : {1, 2, 8}) {
    Execution exec(threads);
    Problem<float> p(data, 1, exec);
    const auto x = p.point(6);
    values.push_back(p.objective.value(x));
    gradients.emplace_back(x.size());
    p.objective.gradient(x, gradients.back());
    products.emplace_back(x.size());
    p.objective.hessian_product(x, products.back());
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(values[0], values[2]);
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(gradients[0], gradients[2]);
  EXPECT_EQ(products[0], products[1]);
  EXPECT_EQ(products[0], products[2]);
}

// With scores far apart exp underflows to 0, but nothing overflows.
TEST(MaxentObjective, StaysFiniteForHugeScores) {
  const Dataset data = random_data({.labels = 6}, 5);
  Execution exec(1);
  Problem<float> p(data, 1e6, exec);
  auto x = p.point(8);
  for (float& value : x) value *= 1e4f;
  std::vector<float> gradient(x.size());
  EXPECT_TRUE(std::isfinite(p.objective.value(x)));
  p.objective.gradient(x, gradient);
  for (const float g : gradient) ASSERT_TRUE(std::isfinite(g));
}

}  // namespace
}  // namespace megadapt
