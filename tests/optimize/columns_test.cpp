// Features with equal columns are fitted as one, which changes no result.
#include "optimize/columns.hpp"

#include <gmock/gmock.h>

#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "optimize/maxent_objective.hpp"
#include "optimize/minimize.hpp"
#include "support/random_data.hpp"
#include "support/shares.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing_support::add_row;
using testing_support::all_rows;
using testing_support::random_data;
using testing_support::RandomShape;
using testing_support::uneven_share;

Columns merged(const Dataset& data, const Execution& exec = Execution(1)) {
  return merged_columns(data.rows, data.num_features(), all_rows(data), exec);
}

// Random data in which every feature but the bias has a copy, and every third a second one.
Dataset with_copies(const RandomShape& shape, std::uint64_t seed) {
  const Dataset plain = random_data(shape, seed);
  const std::uint32_t F = plain.num_features();
  Dataset data = plain;
  for (std::uint32_t f = 0; f < 2 * F; ++f) {
    data.own_schema().features.add(fmt::format("copy{}", f));
  }
  data.rows = {};
  RowBuilder rows(data.rows);
  for (std::size_t n = 0; n < plain.num_examples(); ++n) {
    const RowView row = plain.rows[n];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const std::uint32_t f = row.features[i];
      const float x = row.values.empty() ? 1 : row.values[i];
      if (f > 0) rows.add(F + f, x);
      rows.add(f, x);
      if (f % 3 == 0) rows.add(2 * F + f, x);
    }
    rows.end();
  }
  return data;
}

std::vector<double> uniform(std::size_t count, double least, double most,
                            std::uint64_t seed) {
  Random random(seed);
  std::vector<double> numbers(count);
  for (double& x : numbers) x = least + (most - least) * random.uniform();
  return numbers;
}

TEST(Columns, EqualOnesAreMerged) {
  Dataset data = random_data({.rows = 0, .features = 6, .labels = 2, .bias = false}, 1);
  add_row(data, {0, 1, 2}, 0);
  add_row(data, {2, 1, 4}, 1);
  add_row(data, {0, 5}, 1);
  const Columns columns = merged(data);
  EXPECT_THAT(columns.column_of, ElementsAre(0, 1, 1, kNone, 2, 3));
  EXPECT_THAT(columns.features(1), ElementsAre(1, 2));
  EXPECT_THAT(columns.count, ElementsAre(2, 2, 1, 1));
}

TEST(Columns, DependOnTheChosenRows) {
  Dataset data = random_data({.rows = 0, .features = 3, .labels = 2, .bias = false}, 1);
  add_row(data, {0, 1, 2}, 0);
  add_row(data, {0, 1}, 1);
  add_row(data, {0}, 1);
  const std::vector<std::size_t> rows = {0, 1};
  const auto columns = merged_columns(data.rows, 3, rows, Execution(1));
  EXPECT_THAT(columns.column_of, ElementsAre(0, 0, 1));
}

TEST(Columns, OfDifferentValuesStaySeparate) {
  SparseRows rows;
  RowBuilder builder(rows);
  for (const float x : {1.0f, 2.0f}) {
    builder.add(0, x);
    builder.add(1, x);
    builder.add(2, 3 - x);  // the same values, in other rows
    builder.end();
  }
  const std::vector<std::size_t> both = {0, 1};
  const Execution exec(1);
  EXPECT_THAT(merged_columns(rows, 3, both, exec).column_of, ElementsAre(0, 0, 1));
  EXPECT_THAT(separate_columns(rows, 3, both, exec).column_of, ElementsAre(0, 1, 2));
}

TEST(Columns, AreThoseOfAllRanks) {
  for (const bool values : {false, true}) {
    const Dataset data =
        with_copies({.rows = 40, .density = 0.05, .values = values}, 3 + values);
    const Columns alone = merged(data);
    ASSERT_LT(alone.size(), alone.feature.size());
    run_ranks(3, [&](Communicator& ranks) {
      const Columns columns = merged(uneven_share(data, ranks), Execution(1, ranks));
      EXPECT_EQ(columns.column_of, alone.column_of);
      EXPECT_EQ(columns.count, alone.count);
    });
  }
}

/// A prior with another mean and another variance for every weight.
struct Prior {
  explicit Prior(const Dataset& data)
      : mean(uniform(data.num_features() * data.num_labels(), -1, 1, 5)),
        factor(uniform(data.num_features(), 0.3, 3, 6)) {}
  GaussianPrior get(bool plain) const {
    if (plain) return {.variance = 0.8};
    return {0.8, mean, factor};
  }
  std::vector<double> mean, factor;
};

// Fits every feature on its own.
std::vector<double> separate_fit(const Dataset& data, const GaussianPrior& prior,
                                 double& objective) {
  const Execution exec(1);
  const auto rows = all_rows(data);
  const std::uint32_t Y = data.num_labels(), stride = label_stride(Y);
  const Columns columns = separate_columns(data.rows, data.num_features(), rows, exec);
  const TiledRows tiles(data.rows, columns, rows, stride, exec);
  std::vector<double> mean(prior.mean.empty() ? 0 : columns.size() * stride);
  std::vector<double> factor(prior.factor.empty() ? 0 : columns.size() * stride, 1);
  for (std::size_t i = 0; i < columns.size() * std::size_t{Y}; ++i) {
    const std::size_t c = i / Y, at = c * stride + i % Y, f = columns.feature[c];
    if (!mean.empty()) mean[at] = prior.mean[f * Y + i % Y];
    if (!factor.empty()) factor[at] = prior.factor[f];
  }
  const std::vector<double> weight(data.weight.begin(), data.weight.end());
  MaxentObjective<double> f(tiles, data.label, weight, Y, prior.variance, mean, factor,
                            exec);
  std::vector<double> point(f.dimension());
  objective = minimize_newton_cg(f, point, {1e-15, 1000, 0, {}}).objective;
  std::vector<double> weights(prior.mean.begin(), prior.mean.end());
  weights.resize(std::size_t{data.num_features()} * Y);
  for (std::size_t i = 0; i < columns.size() * std::size_t{Y}; ++i) {
    weights[columns.feature[i / Y] * Y + i % Y] = point[i / Y * stride + i % Y];
  }
  return weights;
}

TEST(Columns, MergedOrSeparateHaveTheSameOptimum) {
  for (const bool values : {false, true}) {
    for (const bool plain : {false, true}) {
      const Dataset data = with_copies(
          {.rows = 60, .labels = 4, .density = 0.1, .values = values, .weights = true}, 9);
      const Prior prior(data);
      double objective = 0;
      const auto separate = separate_fit(data, prior.get(plain), objective);
      const Execution exec(1);
      MaxentOptions options;
      options.prior = prior.get(plain);
      options.precision = Precision::double_;
      options.tolerance = 1e-15;
      const MaxentFit fit =
          MaxentProblem(data, all_rows(data), exec).fit({}, options, exec);
      EXPECT_NEAR(fit.objective, objective, 1e-12 * objective);
      // Near the optimum the objective is flat: its last bit is about 1e-7 in the weights.
      EXPECT_THAT(fit.weights, testing::Pointwise(testing::DoubleNear(1e-7), separate));
    }
  }
}

// The shift of a row's scores is a sum over features, whether or not their columns are equal.
TEST(Columns, LeavingOneOutSumsOverFeatures) {
  for (const bool values : {false, true}) {
    const Dataset data =
        with_copies({.rows = 50, .labels = 3, .density = 0.1, .values = values}, 12);
    const std::size_t Y = 3, F = data.num_features();
    const Prior prior(data);
    const Execution exec(1);
    const MaxentProblem problem(data, all_rows(data), exec);
    const std::vector<double> weights = uniform(F * Y, -0.5, 0.5, 4);
    const LeaveOneOut found =
        problem.leave_one_out(weights, {}, 0.8, exec, nullptr, {}, prior.factor);
    const auto p = [&](std::size_t n, std::size_t y) {
      return static_cast<double>(found.probability[n * Y + y]);
    };
    const auto squared = [&](std::size_t n, std::size_t i) {
      const double x = values ? static_cast<double>(data.rows[n].values[i]) : 1;
      return x * x;
    };
    const double c = Y / (Y - 1.0);
    std::vector<double> hessian(F * Y);
    for (std::size_t i = 0; i < F * Y; ++i) hessian[i] = prior.factor[i / Y] / 0.8;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      for (std::size_t i = 0; i < data.rows[n].features.size(); ++i) {
        for (std::size_t y = 0; y < Y; ++y) {
          hessian[data.rows[n].features[i] * Y + y] +=
              c * p(n, y) * (1 - p(n, y)) * squared(n, i);
        }
      }
    }
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      double total = 0, gold = 0;
      for (std::size_t y = 0; y < Y; ++y) {
        double score = std::log(p(n, y));
        for (std::size_t i = 0; i < data.rows[n].features.size(); ++i) {
          const double own = c * p(n, y) * (1 - p(n, y)) * squared(n, i);
          score += squared(n, i) * (p(n, y) - (y == data.label[n] ? 1 : 0)) /
                   (hessian[data.rows[n].features[i] * Y + y] - own);
        }
        total += std::exp(score);
        if (y == data.label[n]) gold = score;
      }
      EXPECT_NEAR(found.log_likelihood[n], gold - std::log(total), 1e-4) << n;
    }
  }
}

}  // namespace
}  // namespace megadapt
