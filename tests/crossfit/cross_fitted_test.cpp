// Experts that are fitted once to whole rows, with a mixing weight chosen on rows that they
// have not seen (docs/derivation.md §7).
#include "crossfit/cross_fitted.hpp"

#include <gmock/gmock.h>

#include "mega/mixture_problems.hpp"
#include "support/plain_fit.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::holds;
using testing_support::kSameWeights;
using testing_support::most_apart;
using testing_support::plain_fit;
using testing_support::random_problem;

CrossFittedOptions exact_options_of(std::uint64_t seed) {
  Random random(seed + 77);
  CrossFittedOptions options;
  options.variance = std::pow(10, 2 * random.uniform() - 1);
  options.specific_variance = 0.2;
  options.prior_exponent = 0;
  options.evidence = EStep::leave_one_out;
  options.centre = Centre::zero;
  options.precision = Precision::double_;
  options.tolerance = 1e-14;
  return options;
}

TEST(CrossFitted, TheGeneralExpertIsMix) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    const CrossFittedOptions options = exact_options_of(seed);
    const Mixture mixture = fit_cross_fitted(data, 1, options, Execution(1));
    RC_ASSERT(most_apart(mixture.general.weights,
                         plain_fit(data, all_rows(data), options.variance)) < kSameWeights);
  }));
}

TEST(CrossFitted, CentredOnTheOthersTheSpecificExpertIsPrior) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const std::uint32_t K = 2 + seed % 2;
    const Dataset data = random_problem(seed, K);
    CrossFittedOptions options = exact_options_of(seed);
    options.centre = Centre::others;
    const Mixture mixture = fit_cross_fitted(data, 1, options, Execution(1));
    std::vector<std::size_t> others;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      if (data.domain[n] != 1) others.push_back(n);
    }
    const auto mean = plain_fit(data, others, options.variance);
    RC_ASSERT(most_apart(mixture.domain[1].weights,
                         plain_fit(data, data.rows_of(1), 0.2, mean)) < kSameWeights);
  }));
}

TEST(CrossFitted, DomainsOtherThanTheTargetAreGeneral) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    CrossFittedOptions options = exact_options_of(seed);
    options.on_step = [](const MixtureStep& step) {
      RC_ASSERT(std::isfinite(step.objective));
    };
    const Mixture mixture = fit_cross_fitted(data, 1, options, Execution(1));
    const MixturePredictor model(data.num_labels(), mixture);
    for (const std::uint32_t d : {0u, 2u}) {
      RC_ASSERT(mixture.domain[d].weights == mixture.general.weights);
      RC_ASSERT(mixture.general_share[d] == 1);
      RC_ASSERT(*model.general(data.rows[0], d) == 1);
    }
    RC_ASSERT(mixture.general_share[1] > 0 && mixture.general_share[1] < 1);
  }));
}

// The learnt pi is at least as good as any fixed pi, under its Beta(2, 2) prior.
TEST(CrossFitted, TheShareIsTheMaximum) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    CrossFittedOptions options = exact_options_of(seed);
    options.evidence = EStep::training;  // so that pi maximises the objective
    const auto penalised = [&] {
      const Mixture mixture = fit_cross_fitted(data, 1, options, Execution(1));
      const double share = mixture.general_share[1];
      return mixture.objective + std::log(share) + std::log1p(-share);
    };
    const double found = penalised();
    options.learn_share = false;
    for (const double share : {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99}) {
      options.first_share = share;
      RC_ASSERT(found >= penalised() - 1e-7);
    }
  }));
}

// With one fold per row, the evidence comes from a fit without the row. Rows of the other
// domains stay in all fits.
TEST(CrossFitted, EvidenceLeavesOutRowsOfTheTargetAlone) {
  const Dataset data = random_problem(5);
  CrossFittedOptions options = exact_options_of(5);
  options.centre = Centre::others;
  options.evidence = EStep::cross_fit;
  const std::vector<std::size_t> own = data.rows_of(1);
  options.folds = static_cast<int>(own.size());
  const Execution exec(1);
  const CrossFittedEvidence found = cross_fitted_evidence(data, 1, options, exec);
  const MaxentProblem whole(data, all_rows(data), exec);
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::vector<std::size_t> rest = all_rows(data);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(own[i]));
    const auto general = plain_fit(data, rest, options.variance);
    EXPECT_NEAR(found.general[i],
                whole.log_likelihood(general, Precision::double_, exec)[own[i]], 1e-6);
  }
}

TEST(CrossFitted, ThreadsDoNotChangeABit) {
  EXPECT_TRUE(holds(12, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    constexpr EStep kSteps[] = {EStep::training, EStep::leave_one_out, EStep::cross_fit};
    CrossFittedOptions options;
    options.evidence = kSteps[seed % 3];
    options.folds = 3;
    const Mixture one = fit_cross_fitted(data, 1, options, Execution(1));
    const Mixture eight = fit_cross_fitted(data, 1, options, Execution(8));
    RC_ASSERT(one.general.weights == eight.general.weights);
    RC_ASSERT(one.domain[1].weights == eight.domain[1].weights);
    RC_ASSERT(one.general_share == eight.general_share);
  }));
}

TEST(CrossFitted, AShareAtTheEndMustBeHeld) {
  const Dataset data = random_problem(5);
  CrossFittedOptions options;
  options.first_share = 1;
  EXPECT_THROW(fit_cross_fitted(data, 1, options, Execution(1)), UsageError);
  options.learn_share = false;
  EXPECT_EQ(fit_cross_fitted(data, 1, options, Execution(1)).general_share[1], 1);
}

}  // namespace
}  // namespace megadapt
