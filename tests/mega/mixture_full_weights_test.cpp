// Experts that are fitted to whole rows, once, and mixed by what they say of rows that they
// have not seen (docs/derivation.md §7).
#include <gmock/gmock.h>

#include "mega/experts.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::holds;
using testing_support::random_options;
using testing_support::random_problem;

constexpr double kSameWeights = 1e-5;  // fits end within 1e-14 of the optimal objective

double most_apart(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::vector<double> plain_fit(const Dataset& data, std::span<const std::size_t> rows,
                              double variance, std::span<const double> mean = {}) {
  MaxentOptions options;
  options.prior = {variance, mean};
  options.precision = Precision::double_;
  options.tolerance = 1e-14;
  return MaxentProblem(data, rows, Execution(1)).fit({}, options, Execution(1)).weights;
}

MixtureOptions full_options(std::uint64_t seed, std::uint32_t domains) {
  MixtureOptions options = random_options(seed, domains);
  options.specific_variance = 0.2;
  options.expert_weights = ExpertWeights::full;
  options.e_step = EStep::leave_one_out;
  return options;
}

TEST(FullWeights, TheGeneralExpertIsMix) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    const MixtureOptions options = full_options(seed, 3);
    const Mixture mixture = fit_mixture(data, options, Execution(1));
    RC_ASSERT(most_apart(mixture.general.weights,
                         plain_fit(data, all_rows(data), options.variance)) < kSameWeights);
  }));
}

TEST(FullWeights, CentredOnTheOthersASpecificExpertIsPrior) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const std::uint32_t K = 2 + seed % 2;
    const Dataset data = random_problem(seed, K);
    MixtureOptions options = full_options(seed, K);
    options.centre = Centre::others;
    if (seed % 3 == 0) options.target = 1;
    const Mixture mixture = fit_mixture(data, options, Execution(1));
    std::vector<std::size_t> others;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      if (data.domain[n] != 1) others.push_back(n);
    }
    const auto mean = plain_fit(data, others, options.variance);
    RC_ASSERT(most_apart(mixture.domain[1].weights,
                         plain_fit(data, data.rows_of(1), 0.2, mean)) < kSameWeights);
  }));
}

TEST(FullWeights, DomainsOtherThanTheTargetAreGeneral) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    MixtureOptions options = full_options(seed, 3);
    options.target = 1;
    options.gate = seed % 2 == 0 ? Gate::presence : Gate::logistic;
    options.on_step = [](const MixtureStep& step) {
      RC_ASSERT(std::isfinite(step.objective));
    };
    const Mixture mixture = fit_mixture(data, options, Execution(1));
    const MixturePredictor model(data.num_labels(), mixture);
    for (const std::uint32_t d : {0u, 2u}) {
      RC_ASSERT(mixture.domain[d].weights == mixture.general.weights);
      RC_ASSERT(mixture.general_share[d] == 1);
      RC_ASSERT(*model.general(data.rows[0], d) == 1);
    }
    RC_ASSERT(mixture.general_share[1] > 0 && mixture.general_share[1] < 1);
  }));
}

// pi under its Beta(2, 2) prior, next to what pi held elsewhere comes to.
TEST(FullWeights, TheShareIsTheMaximum) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = full_options(seed, 2);
    options.e_step = EStep::training;  // so that the objective is what pi is judged by
    options.target = 1;
    options.rounds = 1;
    const auto objective_after = [&](const std::string& which) {
      MixtureStep last;
      options.on_step = [&](const MixtureStep& step) {
        if (step.step == which) last = step;
      };
      fit_mixture(data, options, Execution(1));
      const double share = last.general_share[1];
      return last.objective + std::log(share) + std::log1p(-share);
    };
    const double found = objective_after("pi");
    options.learn_share = false;
    for (const double share : {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99}) {
      options.first_share = {0.5, share};
      RC_ASSERT(found >= objective_after("lambda") - 1e-7);
    }
  }));
}

// A tighter prior on a weight is a smaller value of its feature: with x_f / sqrt(k_f) the
// weights are sqrt(k_f) times as large.
TEST(PriorFactor, IsAScaleOfTheFeatures) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    const std::size_t Y = data.num_labels();
    Random random(seed);
    std::vector<double> factor;
    for (std::size_t f = 0; f < data.num_features(); ++f) {
      factor.push_back(0.1 + 5 * random.uniform());
    }
    Dataset scaled = data;
    scaled.rows.value.clear();
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      const RowView row = data.rows[n];
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        const float value = row.values.empty() ? 1 : row.values[i];
        scaled.rows.value.push_back(value /
                                    static_cast<float>(std::sqrt(factor[row.features[i]])));
      }
    }
    MaxentOptions options;
    options.precision = Precision::double_;
    options.tolerance = 1e-14;
    const auto plain = plain_fit(scaled, all_rows(scaled), 0.7);
    options.prior = {.variance = 0.7, .factor = factor};
    auto fit = MaxentProblem(data, all_rows(data), Execution(1))
                   .fit({}, options, Execution(1))
                   .weights;
    for (std::size_t i = 0; i < fit.size(); ++i) fit[i] *= std::sqrt(factor[i / Y]);
    RC_ASSERT(most_apart(fit, plain) < kSameWeights);
  }));
}

// Frequent features with mixed labels are held tightest; the mean over non-zeros of the
// variances stays the same.
TEST(PriorFactor, FollowsWhatRowsTell) {
  Dataset data;
  for (const char* name : {"mixed", "pure", "rare"}) data.features.add(name);
  for (const char* name : {"a", "b"}) data.labels.add(name);
  for (const char* name : {"out", "in"}) data.domains.add(name);
  for (std::uint32_t n = 0; n < 40; ++n) {
    testing_support::add_row(data, {n % 2}, n % 2 == 0 ? n / 2 % 2 : 0, n / 20);
  }
  testing_support::add_row(data, {2}, 0, 1);
  testing_support::add_row(data, {2}, 1, 1);
  MixtureOptions options = testing_support::exact_options();
  options.expert_weights = ExpertWeights::full;
  options.prior_exponent = 1;
  const Mixture mixture = fit_mixture(data, options, Execution(1));
  // 1 + I is 11, 1 and 2 for 20, 20 and 2 rows.
  const double scale = (20.0 / 11 + 20.0 + 2.0 / 2) / 42;
  const std::vector<double> factor = {11 * scale, scale, 2 * scale};
  MaxentOptions maxent;
  maxent.precision = Precision::double_;
  maxent.tolerance = 1e-14;
  maxent.prior = {.variance = options.variance, .factor = factor};
  const auto expected =
      MaxentProblem(data, all_rows(data), Execution(1)).fit({}, maxent, Execution(1));
  EXPECT_LT(most_apart(mixture.general.weights, expected.weights), kSameWeights);
}

// Rows of the other domains stay in the fits that judge the target's.
TEST(FullWeights, CrossFittingLeavesOutRowsOfTheTargetAlone) {
  const Dataset data = random_problem(5);
  MixtureOptions options = full_options(5, 2);
  options.target = 1;
  options.centre = Centre::others;
  options.e_step = EStep::cross_fit;
  options.folds = static_cast<int>(data.rows_of(1).size());
  const Execution exec(1);
  Experts experts(data, options, exec);
  Mixture mixture;
  mixture.general.weights.resize(std::size_t{data.num_features()} * data.num_labels());
  mixture.domain.assign(2, mixture.general);
  experts.refit(experts.full_weights(), 1e-14, 1, mixture);
  EXPECT_NEAR(experts.general_evidence()[data.rows_of(0)[0]],
              experts.general_log_likelihood()[data.rows_of(0)[0]], 1e-12);
  for (const std::size_t left_out : data.rows_of(1)) {
    std::vector<std::size_t> rest = all_rows(data);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto general = plain_fit(data, rest, options.variance);
    const MaxentProblem whole(data, all_rows(data), exec);
    EXPECT_NEAR(experts.general_evidence()[left_out],
                whole.log_likelihood(general, Precision::double_, exec)[left_out], 1e-6);
  }
}

}  // namespace
}  // namespace megadapt
