#include <gmock/gmock.h>
#include <lbfgs.h>

#include "megadapt/training.hpp"
#include "optimize/maxent.hpp"
#include "oracle/maxent.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;
using testing_support::all_rows;
using testing_support::random_data;
using testing_support::RandomShape;

/// Finds the optimum by liblbfgs with the literal objective and the textbook gradient.
class Liblbfgs {
 public:
  Liblbfgs(const Dataset& data, double variance) : data_(data), variance_(variance) {}

  double minimise(std::vector<double>& weights) {
    lbfgs_parameter_t parameter;
    lbfgs_parameter_init(&parameter);
    parameter.epsilon = 1e-9;
    parameter.max_iterations = 5000;
    double value = 0;
    lbfgs(static_cast<int>(weights.size()), weights.data(), &value, evaluate, nullptr, this,
          &parameter);
    return value;
  }

 private:
  static double evaluate(void* self, const double* x, double* gradient, int size, double) {
    const auto& me = *static_cast<Liblbfgs*>(self);
    const std::vector<double> weights(x, x + size);
    const std::size_t Y = me.data_.num_labels();
    double value = 0;
    for (int i = 0; i < size; ++i) {
      value += x[i] * x[i] / (2 * me.variance_);
      gradient[i] = x[i] / me.variance_;
    }
    for (std::size_t n = 0; n < me.data_.num_examples(); ++n) {
      const auto p = oracle::probabilities(me.data_, n, weights);
      const double w = static_cast<double>(me.data_.weight[n]);
      const RowView row = me.data_.rows[n];
      value -= w * std::log(p[me.data_.label[n]]);
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        const double value_of_x =
            row.values.empty() ? 1 : static_cast<double>(row.values[i]);
        for (std::size_t y = 0; y < Y; ++y) {
          gradient[row.features[i] * Y + y] +=
              w * (p[y] - (y == me.data_.label[n] ? 1 : 0)) * value_of_x;
        }
      }
    }
    return value;
  }

  const Dataset& data_;
  double variance_;
};

struct Method {
  Optimizer optimizer;
  Precision precision;
};

class MaxentFitTest : public testing::TestWithParam<Method> {
 protected:
  MaxentOptions options(double variance = 1, double tolerance = 1e-7) const {
    MaxentOptions maxent;
    maxent.prior.variance = variance;
    maxent.tolerance = tolerance;
    maxent.optimizer = GetParam().optimizer;
    maxent.precision = GetParam().precision;
    return maxent;
  }
  Execution exec_{2};
};

INSTANTIATE_TEST_SUITE_P(Methods, MaxentFitTest,
                         testing::Values(Method{Optimizer::newton_cg, Precision::single_},
                                         Method{Optimizer::newton_cg, Precision::double_},
                                         Method{Optimizer::lbfgs, Precision::single_},
                                         Method{Optimizer::lbfgs, Precision::double_}));

TEST_P(MaxentFitTest, AgreesWithLiblbfgsOnRandomProblems) {
  const RandomShape shapes[] = {{.labels = 2},
                                {.rows = 80, .features = 30, .labels = 3, .weights = true},
                                {.rows = 60, .labels = 5, .values = true},
                                {.rows = 30, .features = 60, .labels = 4, .density = 0.1}};
  for (const RandomShape& shape : shapes) {
    for (const double variance : {0.05, 1.0, 50.0}) {
      const Dataset data = random_data(shape, 11);
      std::vector<double> weights(std::size_t{data.num_features()} * data.num_labels());
      const double best = Liblbfgs(data, variance).minimise(weights);
      const MaxentProblem problem(data, all_rows(data), exec_);
      const MaxentFit fit = problem.fit({}, options(variance), exec_);
      const std::vector<double> w(data.weight.begin(), data.weight.end());
      const double reached =
          oracle::negative_log_posterior(data, all_rows(data), w, fit.weights, variance);
      EXPECT_TRUE(fit.converged);
      EXPECT_NEAR(reached, best, 1e-6 * best) << shape.labels << " labels, " << variance;
      EXPECT_NEAR(fit.objective, reached, 1e-6 * best);
    }
  }
}

TEST_P(MaxentFitTest, UnusedFeaturesKeepThePriorMean) {
  Dataset data = random_data({.features = 6, .labels = 3}, 5);
  const std::uint32_t unused = data.own_schema().features.add("unused");
  std::vector<double> mean(std::size_t{data.num_features()} * 3);
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.25 * static_cast<double>(i % 5);
  MaxentOptions maxent = options();
  maxent.prior.mean = mean;
  const MaxentFit fit = MaxentProblem(data, all_rows(data), exec_).fit({}, maxent, exec_);
  for (std::size_t y = 0; y < 3; ++y) {
    EXPECT_EQ(fit.weights[unused * 3 + y], mean[unused * 3 + y]);
  }
  // A tight prior keeps every weight at its mean.
  maxent.prior.variance = 1e-9;
  const MaxentFit tight = MaxentProblem(data, all_rows(data), exec_).fit({}, maxent, exec_);
  for (std::size_t i = 0; i < mean.size(); ++i)
    EXPECT_NEAR(tight.weights[i], mean[i], 1e-5);
}

TEST_P(MaxentFitTest, RowsOfWeightZeroCountForNothing) {
  const Dataset data = random_data({.rows = 50, .labels = 3}, 8);
  std::vector<double> weight(50, 1);
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < 50; ++n) {
    if (n % 3 == 0)
      weight[n] = 0;
    else
      kept.push_back(n);
  }
  const MaxentFit all =
      MaxentProblem(data, all_rows(data), exec_).fit(weight, options(), exec_);
  const MaxentFit some = MaxentProblem(data, kept, exec_).fit({}, options(), exec_);
  EXPECT_NEAR(all.objective, some.objective, 1e-6 * some.objective);
}

TEST_P(MaxentFitTest, ARepeatedRowIsARowOfWeightTwo) {
  Dataset twice = random_data({.rows = 30, .labels = 3}, 9);
  Dataset weighted = twice;
  const auto row = twice.rows[4].features;
  add_row(twice, std::vector<std::uint32_t>(row.begin(), row.end()), twice.label[4]);
  weighted.weight[4] = 2;
  const MaxentFit a =
      MaxentProblem(twice, all_rows(twice), exec_).fit({}, options(), exec_);
  const MaxentFit b =
      MaxentProblem(weighted, all_rows(weighted), exec_).fit({}, options(), exec_);
  EXPECT_NEAR(a.objective, b.objective, 1e-6 * a.objective);
}

TEST_P(MaxentFitTest, AWarmStartTakesFewerPasses) {
  const Dataset data = random_data({.rows = 400, .features = 80, .labels = 4}, 13);
  const MaxentProblem problem(data, all_rows(data), exec_);
  const MaxentFit cold = problem.fit({}, options(1, 1e-4), exec_);
  MaxentOptions maxent = options(1, 1e-4);
  maxent.start = cold.weights;
  const MaxentFit warm = problem.fit({}, maxent, exec_);
  EXPECT_LT(warm.passes, cold.passes);
  EXPECT_NEAR(warm.objective, cold.objective, 2e-4 * cold.objective);
}

TEST_P(MaxentFitTest, HasTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = random_data({.rows = 3000, .features = 200, .labels = 6}, 17);
  std::vector<std::vector<double>> weights;
  for (const int threads : {1, 2, 8}) {
    Execution exec(threads);
    weights.push_back(
        MaxentProblem(data, all_rows(data), exec).fit({}, options(1, 1e-4), exec).weights);
  }
  EXPECT_EQ(weights[0], weights[1]);
  EXPECT_EQ(weights[0], weights[2]);
}

TEST_P(MaxentFitTest, StopsAtTheLimitOfPassesAndSaysSo) {
  const Dataset data = random_data({.rows = 400, .features = 80, .labels = 4}, 13);
  MaxentOptions maxent = options(10, 1e-9);
  maxent.max_passes = 5;
  const MaxentFit fit = MaxentProblem(data, all_rows(data), exec_).fit({}, maxent, exec_);
  EXPECT_FALSE(fit.converged);
  EXPECT_LE(fit.passes, 8);
}

TEST_P(MaxentFitTest, TheEstimatedGapIsOfTheRightSize) {
  const Dataset data =
      random_data({.rows = 3000, .features = 2000, .labels = 4, .density = 0.01}, 21);
  const MaxentProblem problem(data, all_rows(data), exec_);
  const double best = problem.fit({}, options(1, 1e-7), exec_).objective;
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const MaxentFit fit = problem.fit({}, options(1, tolerance), exec_);
    EXPECT_LT((fit.objective - best) / best, 10 * tolerance) << tolerance;
  }
}

TEST(MaxentFit, StopsWhenTheFlagIsSet) {
  const Dataset data = random_data({}, 1);
  std::atomic<bool> stop = true;
  Execution exec(1);
  exec.set_stop_flag(&stop);
  const MaxentProblem problem(data, all_rows(data), exec);
  EXPECT_THROW(problem.fit({}, {}, exec), Interrupted);
}

TEST(MaxentFit, RefusesRowsWithoutALabel) {
  Dataset data = random_data({}, 1);
  data.label[3] = kNone;
  Execution exec(1);
  EXPECT_THROW(MaxentProblem(data, all_rows(data), exec), UsageError);
}

}  // namespace
}  // namespace megadapt
