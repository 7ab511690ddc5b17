// How leaving a row out changes its own prediction: one step along the Hessian's diagonal,
// compared with true refits.
#include <gmock/gmock.h>

#include "mega/experts.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;
using testing_support::all_rows;
using testing_support::RandomShape;

MaxentOptions tight(double variance, std::span<const double> mean = {}) {
  MaxentOptions options;
  options.prior = {variance, mean};
  options.precision = Precision::double_;
  options.tolerance = 1e-13;
  return options;
}

// Returns weights between 0.1 and 1.1; for seed 0 all are 0.7.
std::vector<double> row_weights(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights(count);
  for (double& w : weights) w = seed == 0 ? 0.7 : 0.1 + random.uniform();
  return weights;
}

/// How much log p(y_n | x_n) changes if row n is left out: estimated and true.
struct Shifts {
  std::vector<double> estimated, actual;
};

Shifts shifts(const Dataset& data, double variance, std::uint64_t seed) {
  const Execution exec(1);
  const MaxentProblem problem(data, all_rows(data), exec);
  std::vector<double> weight = row_weights(data.num_examples(), seed);
  const auto fit = problem.fit(weight, tight(variance), exec);
  const auto with = problem.log_likelihood(fit.weights, Precision::double_, exec);
  const auto loo = problem.leave_one_out(fit.weights, weight, variance, exec);
  Shifts result;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const double own = std::exchange(weight[n], 0);
    const auto refit = problem.fit(weight, tight(variance), exec);
    weight[n] = own;
    const auto without = problem.log_likelihood(refit.weights, Precision::double_, exec);
    result.estimated.push_back(loo.log_likelihood[n] - with[n]);
    result.actual.push_back(without[n] - with[n]);
  }
  return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double count = static_cast<double>(a.size());
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sa += a[i], sb += b[i];
    saa += a[i] * a[i], sbb += b[i] * b[i], sab += a[i] * b[i];
  }
  return (sab - sa * sb / count) /
         std::sqrt((saa - sa * sa / count) * (sbb - sb * sb / count));
}

double squared_error(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Every row has one of `features`. Label 0 is `skew` times as frequent as any other.
Dataset one_feature_each(std::uint32_t labels, std::uint32_t features, std::uint32_t skew) {
  Dataset data;
  for (std::uint32_t f = 0; f < features; ++f)
    data.own_schema().features.add(fmt::format("f{}", f));
  for (std::uint32_t y = 0; y < labels; ++y)
    data.own_schema().labels.add(fmt::format("y{}", y));
  data.own_schema().domains.add("d");
  for (std::uint32_t n = 0; n < 10 * labels * features; ++n) {
    for (std::uint32_t copy = 0; copy < (n % labels == 0 ? skew : 1); ++copy) {
      add_row(data, {n / labels % features}, n % labels);
    }
  }
  return data;
}

// Each feature's Hessian is a separate block, in which the factor c replaces the coupling
// of the labels. That is exact for two labels, and for more if they are equally frequent
// (docs/derivation.md §6).
TEST(LeaveOneOut, OneFeatureMatchesATrueRefit) {
  const auto expect_match = [](const Dataset& data, bool random_weights) {
    for (const double variance : {0.1, 1.0, 10.0}) {
      const Shifts s = shifts(data, variance, random_weights ? 3 : 0);
      for (std::size_t n = 0; n < s.actual.size(); ++n) {
        EXPECT_NEAR(s.estimated[n] / s.actual[n], 1, 0.05)
            << data.num_labels() << " labels, variance " << variance << ", row " << n;
      }
    }
  };
  expect_match(one_feature_each(2, 1, 1), true);
  expect_match(one_feature_each(2, 1, 3), true);
  expect_match(one_feature_each(2, 3, 2), true);
  expect_match(one_feature_each(3, 2, 1), false);
  expect_match(one_feature_each(6, 1, 1), false);
}

TEST(LeaveOneOut, ManyFeaturesCorrelateWithTrueRefits) {
  for (const double density : {0.08, 0.25}) {
    for (const std::uint32_t labels : {2u, 4u}) {
      RandomShape shape;
      shape.rows = 150;
      shape.features = 60;
      shape.labels = labels;
      shape.density = density;
      const Shifts s = shifts(testing_support::random_data(shape, 5), 1, 6);
      EXPECT_GE(correlation(s.estimated, s.actual), 0.95) << density << ' ' << labels;
    }
  }
}

// If a specific expert is centred on the general one, leaving a row out moves both.
TEST(LeaveOneOut, CentredExpertsFollowTheGeneralOne) {
  RandomShape shape;
  shape.rows = 120;
  shape.features = 40;
  shape.domains = 2;
  shape.density = 0.12;
  const Dataset data = testing_support::random_data(shape, 8);
  const Execution exec(1);
  const auto rows = data.rows_of(1);
  const MaxentProblem general(data, all_rows(data), exec);
  const MaxentProblem specific(data, rows, exec);
  const double variance = 1, own_variance = 0.05;
  std::vector<double> weight = row_weights(data.num_examples(), 1);
  std::vector<double> own_weight = row_weights(rows.size(), 2);

  const auto fit_both = [&] {
    const auto g = general.fit(weight, tight(variance), exec);
    return std::pair(g, specific.fit(own_weight, tight(own_variance, g.weights), exec));
  };
  const auto [general_fit, own_fit] = fit_both();
  const auto with = specific.log_likelihood(own_fit.weights, Precision::double_, exec);
  const LeaveOneOut general_loo =
      general.leave_one_out(general_fit.weights, weight, variance, exec);
  const LeaveOneOut whole = specific.leave_one_out(own_fit.weights, own_weight,
                                                   own_variance, exec, &general_loo, rows);
  const LeaveOneOut part =
      specific.leave_one_out(own_fit.weights, own_weight, own_variance, exec);

  Shifts both, alone;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double w = std::exchange(weight[rows[i]], 0);
    const double own = std::exchange(own_weight[i], 0);
    const auto refit = fit_both().second;
    weight[rows[i]] = w;
    own_weight[i] = own;
    const auto without = specific.log_likelihood(refit.weights, Precision::double_, exec);
    both.actual.push_back(without[i] - with[i]);
    both.estimated.push_back(whole.log_likelihood[i] - with[i]);
    alone.estimated.push_back(part.log_likelihood[i] - with[i]);
  }
  EXPECT_GE(correlation(both.estimated, both.actual), 0.95);
  EXPECT_GT(correlation(both.estimated, both.actual),
            correlation(alone.estimated, both.actual));
  EXPECT_LT(squared_error(both.estimated, both.actual),
            squared_error(alone.estimated, both.actual) / 4);
}

// The evidence of a mixture's experts in training is what the calls above return, including
// the movement of the general expert.
TEST(LeaveOneOut, IsTheEvidenceOfTheEStep) {
  const Dataset data =
      testing_support::random_data({.rows = 60, .features = 10, .domains = 2}, 4);
  const Execution exec(1);
  for (const Centre centre : {Centre::zero, Centre::general}) {
    MixtureOptions options = testing_support::exact_options();
    options.e_step = EStep::leave_one_out;
    options.centre = centre;
    options.specific_variance = 0.1;
    Shares shares{row_weights(60, 1), row_weights(60, 2)};
    Mixture mixture;
    mixture.general.weights.resize(std::size_t{data.num_features()} * data.num_labels());
    mixture.domain.assign(2, mixture.general);
    Experts experts(data, options, exec);
    experts.refit(shares, options.tolerance, 1, mixture);

    const LeaveOneOut general =
        MaxentProblem(data, all_rows(data), exec)
            .leave_one_out(mixture.general.weights, shares.general, 1, exec);
    for (std::uint32_t d = 0; d < 2; ++d) {
      const auto rows = data.rows_of(d);
      std::vector<double> weight;
      for (const std::size_t n : rows) weight.push_back(shares.specific[n]);
      const LeaveOneOut own =
          MaxentProblem(data, rows, exec)
              .leave_one_out(mixture.domain[d].weights, weight, 0.1, exec,
                             centre == Centre::general ? &general : nullptr, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_NEAR(experts.general_evidence()[rows[i]], general.log_likelihood[rows[i]],
                    1e-9);
        EXPECT_NEAR(experts.specific_evidence()[rows[i]], own.log_likelihood[i], 1e-9);
      }
    }
  }
}

// Leaving a row out never improves its prediction, and the result is always finite, even if
// H without the row is a small difference of large numbers or the fit is at its start.
TEST(LeaveOneOut, SurvivesExtremeVariancesAndValues) {
  const Execution exec(1);
  for (const double variance : {1e-6, 1.0, 1e6}) {
    for (const float value : {1e-3f, 1.0f, 30.0f, 1000.0f}) {
      // Most features occur in only one row.
      Dataset data = testing_support::random_data(
          {.rows = 30, .features = 90, .density = 0.02, .values = true}, 9);
      for (float& x : data.rows.value) x *= value;
      const MaxentProblem problem(data, all_rows(data), exec);
      MaxentOptions options = tight(variance);
      for (const int passes : {0, 1000}) {
        options.max_passes = passes;
        const auto fit = problem.fit({}, options, exec);
        const auto with = problem.log_likelihood(fit.weights, Precision::double_, exec);
        const auto loo = problem.leave_one_out(fit.weights, {}, variance, exec);
        for (std::size_t n = 0; n < data.num_examples(); ++n) {
          ASSERT_TRUE(std::isfinite(loo.log_likelihood[n])) << variance << ' ' << value;
          EXPECT_LE(loo.log_likelihood[n], with[n] + 1e-5) << variance << ' ' << value;
        }
      }
    }
  }
}

TEST(LeaveOneOut, OneLabelHasProbabilityOne) {
  Dataset data = testing_support::random_data({.rows = 5, .features = 3, .labels = 1}, 2);
  const Execution exec(1);
  const MaxentProblem problem(data, all_rows(data), exec);
  const std::vector<double> zero(data.num_features());
  EXPECT_THAT(problem.leave_one_out(zero, {}, 1, exec).log_likelihood, testing::Each(0));
}

TEST(LeaveOneOut, ARowOfWeightZeroKeepsItsPrediction) {
  const Dataset data = testing_support::random_data({.rows = 30, .features = 10}, 3);
  const Execution exec(1);
  const MaxentProblem problem(data, all_rows(data), exec);
  std::vector<double> weight(data.num_examples(), 1);
  weight[4] = 0;
  const auto fit = problem.fit(weight, tight(1), exec);
  const auto loo = problem.leave_one_out(fit.weights, weight, 1, exec);
  const auto with = problem.log_likelihood(fit.weights, Precision::double_, exec);
  EXPECT_NEAR(loo.log_likelihood[4], with[4], 1e-6);  // probabilities are float
}

}  // namespace
}  // namespace megadapt
