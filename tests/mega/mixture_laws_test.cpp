// Laws that hold for every problem (docs/derivation.md), on random ones.
#include <gmock/gmock.h>

#include "mega/fit_memo.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;
using testing_support::all_rows;
using testing_support::exact_options;
using testing_support::holds;
using testing_support::random_options;
using testing_support::random_problem;

double largest_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

double largest_difference(const Component& a, const Component& b) {
  return std::max(largest_difference(a.weights, b.weights),
                  largest_difference(a.presence, b.presence));
}

double largest_difference(const Mixture& a, const Mixture& b) {
  double most = std::max({largest_difference(a.general, b.general),
                          largest_difference(a.general_share, b.general_share),
                          largest_difference(a.gate.intercept, b.gate.intercept),
                          largest_difference(a.gate.weights, b.gate.weights)});
  for (std::size_t d = 0; d < a.domain.size(); ++d) {
    most = std::max(most, largest_difference(a.domain[d], b.domain[d]));
  }
  return most;
}

bool same_bits(const Mixture& a, const Mixture& b) {
  const auto same = [](const Component& x, const Component& y) {
    return x.weights == y.weights && x.presence == y.presence;
  };
  return same(a.general, b.general) && a.general_share == b.general_share &&
         a.gate.intercept == b.gate.intercept && a.gate.weights == b.gate.weights &&
         std::equal(a.domain.begin(), a.domain.end(), b.domain.begin(), b.domain.end(),
                    same);
}

MaxentOptions tight(double variance) {
  MaxentOptions options;
  options.prior.variance = variance;
  options.precision = Precision::double_;
  options.tolerance = 1e-14;
  return options;
}

// No sub-step lowers the penalised conditional likelihood or gains less than its bound.
void never_falls(const Dataset& data, MixtureOptions options, double relative) {
  double last = -INFINITY;
  options.on_step = [&](const MixtureStep& step) {
    const double slack = relative * std::abs(step.objective);
    RC_ASSERT(step.objective >= last - slack);
    RC_ASSERT(step.bound >= -slack);
    if (last > -INFINITY) RC_ASSERT(step.objective >= last + step.bound - slack);
    last = step.objective;
  };
  fit_mixture(data, options, Execution(1));
}

TEST(MixtureLaws, PresenceGateNeverLowersTheLikelihood) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    const std::uint32_t K = 2 + seed % 2;
    never_falls(random_problem(seed, K), random_options(seed, K), 1e-9);
  }));
}

TEST(MixtureLaws, JointPresenceStepsNeverLowerTheLikelihood) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    const std::uint32_t K = 2 + seed % 2;
    MixtureOptions options = random_options(seed, K);
    options.psi_step = PsiStep::lbfgs;
    never_falls(random_problem(seed, K), options, 1e-9);
  }));
}

TEST(MixtureLaws, LogisticGateNeverLowersTheLikelihood) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    const std::uint32_t K = 2 + seed % 2;
    MixtureOptions options = random_options(seed, K);
    options.gate = Gate::logistic;
    options.gate_variance = 0.5 + static_cast<double>(seed % 5);
    never_falls(random_problem(seed, K), options, 1e-9);
  }));
}

TEST(MixtureLaws, FloatKernelsNeverLowerTheLikelihood) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    MixtureOptions options = random_options(seed, 2);
    options.precision = Precision::single_;
    options.tolerance = 1e-4;
    options.gate = seed % 2 == 0 ? Gate::presence : Gate::logistic;
    never_falls(random_problem(seed, 2), options, 1e-6);
  }));
}

// One memo serves fits with other settings, and even of other data.
TEST(MixtureLaws, AMemoOfFirstRoundsChangesNoResult) {
  FitMemo memo;
  int plain_fits = 0, fits = 0;
  for (const std::uint64_t seed : {1, 2}) {
    Dataset data = random_problem(seed, 2);
    for (const bool relabelled : {false, true}) {
      if (relabelled) std::ranges::reverse(data.label);
      for (const int settings : {0, 1, 2, 3, 4, 5, 6, 7}) {
        MixtureOptions options = random_options(seed, 2);
        options.rounds = 2;
        options.e_step = settings % 2 == 0 ? EStep::training : EStep::leave_one_out;
        options.variance = settings / 2 % 2 == 0 ? 0.5 : 2;
        options.centre = settings < 4 ? Centre::zero : Centre::others;
        options.on_fit = [&](const MaxentFit&) { ++plain_fits; };
        const Mixture plain = fit_mixture(data, options, Execution(1));
        options.on_fit = [&](const MaxentFit&) { ++fits; };
        options.memo = &memo;
        EXPECT_TRUE(same_bits(fit_mixture(data, options, Execution(1)), plain));
      }
    }
  }
  EXPECT_LT(fits, plain_fits);
}

// Fits end within 1e-14 of the optimal objective, so weights differ by about its root.
constexpr double kSameOptimum = 1e-5;

TEST(MixtureLaws, SwappingTheDomainsSwapsTheAnswer) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    Dataset swapped = data;
    for (std::uint32_t& d : swapped.domain) d = 1 - d;
    MixtureOptions options = random_options(seed, 2);
    options.gate = seed % 2 == 0 ? Gate::presence : Gate::logistic;
    const Mixture a = fit_mixture(data, options, Execution(1));
    std::swap(options.first_share[0], options.first_share[1]);
    const Mixture b = fit_mixture(swapped, options, Execution(1));
    RC_ASSERT(largest_difference(a.general, b.general) < kSameOptimum);
    for (std::uint32_t d = 0; d < 2; ++d) {
      RC_ASSERT(largest_difference(a.domain[d], b.domain[1 - d]) < kSameOptimum);
      RC_ASSERT(std::abs(a.general_share[d] - b.general_share[1 - d]) < kSameOptimum);
      RC_ASSERT(std::abs(a.gate.intercept[d] - b.gate.intercept[1 - d]) < kSameOptimum);
    }
  }));
}

TEST(MixtureLaws, AShareHeldAtOneIsMix) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    MixtureOptions options = random_options(seed, 3);
    options.learn_share = false;
    options.first_share = {1, 1, 1};
    const Mixture held = fit_mixture(data, options, Execution(1));
    const auto mix = MaxentProblem(data, all_rows(data), Execution(1))
                         .fit({}, tight(options.variance), Execution(1));
    RC_ASSERT(largest_difference(held.general.weights, mix.weights) < kSameOptimum);
    RC_ASSERT(held.general_share == std::vector<double>({1, 1, 1}));
    for (const Component& own : held.domain) {  // no row has any weight for them
      RC_ASSERT(std::ranges::all_of(own.weights, [](double w) { return w == 0; }));
    }
  }));
}

TEST(MixtureLaws, AShareHeldAtZeroIsOnlyTheDomain) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = random_options(seed, 2);
    options.specific_variance = 0;
    options.learn_share = false;
    options.first_share = {0, 0};
    const Mixture held = fit_mixture(data, options, Execution(1));
    for (std::uint32_t d = 0; d < 2; ++d) {
      const auto only = MaxentProblem(data, data.rows_of(d), Execution(1))
                            .fit({}, tight(options.variance), Execution(1));
      RC_ASSERT(largest_difference(held.domain[d].weights, only.weights) < kSameOptimum);
    }
  }));
}

// With the specific expert centred on the general one, pi = 1 for the source and 0 for the
// target is the system Prior.
TEST(MixtureLaws, CentredAndHeldApartIsPrior) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = random_options(seed, 2);
    options.centre = Centre::general;
    options.specific_variance = 0.2;
    options.learn_share = false;
    options.first_share = {1, 0};
    const Mixture held = fit_mixture(data, options, Execution(1));
    const auto source = MaxentProblem(data, data.rows_of(0), Execution(1))
                            .fit({}, tight(options.variance), Execution(1));
    MaxentOptions centred = tight(options.specific_variance);
    centred.prior.mean = source.weights;
    const auto prior =
        MaxentProblem(data, data.rows_of(1), Execution(1)).fit({}, centred, Execution(1));
    RC_ASSERT(largest_difference(held.general.weights, source.weights) < kSameOptimum);
    RC_ASSERT(largest_difference(held.domain[1].weights, prior.weights) < kSameOptimum);
  }));
}

TEST(MixtureLaws, OneDomainIsPlainMaximumEntropy) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 1);
    MixtureOptions options = random_options(seed, 1);
    const Mixture single = fit_mixture(data, options, Execution(1));
    const auto plain = MaxentProblem(data, all_rows(data), Execution(1))
                           .fit({}, tight(options.variance), Execution(1));
    RC_ASSERT(single.general.weights == plain.weights);
    RC_ASSERT(single.general_share == std::vector<double>({1}));
    const MixturePredictor model(data.num_labels(), single);
    RC_ASSERT(*model.general(data.rows[0], 0) == 1);
  }));
}

TEST(MixtureLaws, ADuplicatedExampleIsWeightTwo) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    Dataset heavy = random_problem(seed);
    Dataset twice = heavy;
    const std::size_t n = seed % 5;
    heavy.weight[n] *= 2;
    RowBuilder builder(twice);
    builder.add(heavy.rows[n]);
    builder.end(
        {.label = heavy.label[n], .domain = heavy.domain[n], .weight = twice.weight[n]});
    MixtureOptions options = random_options(seed, 2);
    options.gate_features = 0;  // the most informative ones depend on row counts
    options.gate = seed % 2 == 0 ? Gate::presence : Gate::logistic;
    RC_ASSERT(largest_difference(fit_mixture(heavy, options, Execution(1)),
                                 fit_mixture(twice, options, Execution(1))) < kSameOptimum);
  }));
}

// One of the three E-steps and of the centres, with either gate.
MixtureOptions any_options(std::uint64_t seed) {
  MixtureOptions options = random_options(seed, 2);
  constexpr EStep kSteps[] = {EStep::training, EStep::leave_one_out, EStep::cross_fit};
  options.e_step = kSteps[seed % 3];
  constexpr Centre kCentres[] = {Centre::zero, Centre::general, Centre::others};
  options.centre = kCentres[seed / 7 % 3];
  if (seed / 13 % 2 == 0) options.prior_exponent = 0.5;
  options.gate = seed / 6 % 2 == 0 ? Gate::presence : Gate::logistic;
  options.precision = seed / 12 % 2 == 0 ? Precision::single_ : Precision::double_;
  options.temperature = seed / 24 % 2 == 0 ? 1 : 3;
  options.tolerance = 1e-6;
  options.folds = 3;
  return options;
}

TEST(MixtureLaws, ThreadsDoNotChangeABit) {
  const Execution one(1), two(2), eight(8);
  testing_support::RandomShape shape;
  shape.rows = 9000;  // more than one chunk
  shape.features = 200;
  shape.domains = 2;
  shape.density = 0.03;
  const Dataset large = testing_support::random_data(shape, 3);
  for (const EStep e_step : {EStep::training, EStep::leave_one_out}) {
    MixtureOptions options;
    options.rounds = 2;
    options.e_step = e_step;
    options.centre = Centre::general;
    const Mixture alone = fit_mixture(large, options, one);
    EXPECT_TRUE(same_bits(alone, fit_mixture(large, options, two)));
    EXPECT_TRUE(same_bits(alone, fit_mixture(large, options, eight)));
  }
  EXPECT_TRUE(holds(24, [&](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    const MixtureOptions options = any_options(seed);
    const Mixture alone = fit_mixture(data, options, one);
    RC_ASSERT(same_bits(alone, fit_mixture(data, options, two)));
    RC_ASSERT(same_bits(alone, fit_mixture(data, options, eight)));
  }));
}

TEST(MixtureLaws, ResumingFromAnyRoundChangesNothing) {
  const Execution exec(1);
  EXPECT_TRUE(holds(36, [&](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = any_options(seed);
    std::vector<MixtureState> states;
    options.on_round = [&](const MixtureState& state) { states.push_back(state); };
    const Mixture whole = fit_mixture(data, options, exec);
    options.on_round = nullptr;
    RC_ASSERT(states.size() == static_cast<std::size_t>(options.rounds));
    for (const MixtureState& state : states) {
      options.resume = &state;
      RC_ASSERT(same_bits(whole, fit_mixture(data, options, exec)));
    }
  }));
}

// Tuning scores a long run on the way.
TEST(MixtureLaws, ARunPassesEveryShorterRun) {
  const Execution exec(1);
  EXPECT_TRUE(holds(24, [&](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = any_options(seed);
    options.temperature = 1;
    options.tolerance = seed % 2 == 0 ? 1e-14 : 1e-4;
    options.rounds = 7;
    std::vector<MixtureState> states;
    options.on_round = [&](const MixtureState& state) { states.push_back(state); };
    fit_mixture(data, options, exec);
    options.on_round = nullptr;
    for (const int rounds : {1, 3, 5}) {
      options.rounds = rounds;
      RC_ASSERT(same_bits(states[static_cast<std::size_t>(rounds) - 1].mixture,
                          fit_mixture(data, options, exec)));
    }
  }));
}

// The paper's figure has one E-step per round. Its bound is tight at the round's start, so a
// round never loses, but a sub-step may.
TEST(MixtureLaws, OneEStepPerRoundNeverLowersTheLikelihoodOfARound) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    const std::uint32_t K = 2 + seed % 2;
    MixtureOptions options = random_options(seed, K);
    options.refresh = Refresh::round;
    options.gate = seed % 3 == 0 ? Gate::logistic : Gate::presence;
    double last = -INFINITY;
    int e_steps = 0;
    options.on_step = [&](const MixtureStep& step) {
      e_steps += step.step == "e";
      if (step.step != "psi") return;
      RC_ASSERT(step.objective >= last - 1e-9 * std::abs(step.objective));
      last = step.objective;
    };
    fit_mixture(random_problem(seed, K), options, Execution(1));
    RC_ASSERT(e_steps == options.rounds);
  }));
}

TEST(MixtureLaws, ARunUntilItSettlesStopsWhereLittleChanges) {
  const Execution exec(1);
  EXPECT_TRUE(holds(8, [&](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = exact_options();
    options.tolerance = 1e-8;
    options.rounds = kRoundsUntilSettled;
    MixtureState before_last, last;
    options.on_round = [&](const MixtureState& state) {
      before_last = std::exchange(last, state);
    };
    const Mixture settled = fit_mixture(data, options, exec);
    RC_ASSERT(settled.end.rounds == last.rounds_done);
    if (!settled.end.settled) {
      RC_ASSERT(settled.end.rounds == kMostRounds);
      return;
    }
    RC_ASSERT(!before_last.end.settled);
    RC_ASSERT(largest_difference(last.mixture.general_share,
                                 before_last.mixture.general_share) < 1e-3);
    options.on_round = nullptr;
    for (const MixtureState& state : {before_last, last}) {  // also when nothing is left
      options.resume = &state;
      RC_ASSERT(same_bits(settled, fit_mixture(data, options, exec)));
    }
    options.resume = nullptr;
    options.rounds = settled.end.rounds;
    RC_ASSERT(same_bits(settled, fit_mixture(data, options, exec)));
  }));
}

TEST(MixtureLaws, AnnealingNeedsANumberOfRounds) {
  MixtureOptions options = exact_options();
  options.rounds = kRoundsUntilSettled;
  options.temperature = 2;
  EXPECT_THROW(fit_mixture(random_problem(1), options, Execution(1)), UsageError);
}

TEST(MixtureLaws, TheMeanOfTheGateIsTheMeanOverTheRowsOfADomain) {
  const Dataset data = random_problem(3);
  const Mixture fitted = fit_mixture(data, exact_options(), Execution(1));
  const MixturePredictor predictor(data.num_labels(), fitted);
  for (std::uint32_t d = 0; d < 2; ++d) {
    double sum = 0, weight = 0;
    for (const std::size_t n : data.rows_of(d)) {
      const double v = static_cast<double>(data.weight[n]);
      sum += v * *predictor.general(data.rows[n], d);
      weight += v;
    }
    EXPECT_NEAR(fitted.mean_general[d], sum / weight, 1e-5);
  }
}

TEST(MixtureLaws, AnInterruptedFitLeavesItsLastRound) {
  std::atomic<bool> stop = false;
  Execution exec(1);
  exec.set_stop_flag(&stop);
  const Dataset data = random_problem(1);
  MixtureOptions options = exact_options();
  MixtureState kept;
  options.on_round = [&](const MixtureState& state) {
    kept = state;
    stop = state.rounds_done == 2;
  };
  EXPECT_THROW(fit_mixture(data, options, exec), Interrupted);
  EXPECT_EQ(kept.rounds_done, 2);
}

// A fit of one pass ends before it looks at the flag itself.
TEST(MixtureLaws, AnInterruptedRoundFitsNoFurtherDomain) {
  std::atomic<bool> stop = false;
  Execution exec(1);
  exec.set_stop_flag(&stop);
  const Dataset data = testing_support::random_data({.rows = 40, .domains = 5}, 1);
  MixtureOptions options = exact_options();
  options.max_passes = 1;
  int fits = 0;
  options.on_fit = [&](const MaxentFit&) { stop = ++fits >= 2; };  // general, domain 0
  EXPECT_THROW(fit_mixture(data, options, exec), Interrupted);
  EXPECT_EQ(fits, 2);
}

// At a high temperature posteriors are 1/2 whatever the evidence. The last round always has
// temperature 1.
TEST(MixtureLaws, AnnealingEndsAtTemperatureOne) {
  const Execution exec(1);
  EXPECT_TRUE(holds(10, [&](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = random_options(seed, 2);
    const Mixture plain = fit_mixture(data, options, exec);
    options.temperature = 1;
    RC_ASSERT(same_bits(plain, fit_mixture(data, options, exec)));
    options.temperature = 1 + 1e-13;
    RC_ASSERT(largest_difference(plain, fit_mixture(data, options, exec)) < kSameOptimum);

    options.rounds = 1;
    const Mixture one_round = fit_mixture(data, options, exec);
    options.temperature = 100;
    RC_ASSERT(same_bits(one_round, fit_mixture(data, options, exec)));

    options.rounds = 2;
    options.temperature = 1e12;
    options.on_round = [&](const MixtureState& state) {
      if (state.rounds_done > 1) return;
      for (std::size_t n = 0; n < data.num_examples(); ++n) {
        const double half = static_cast<double>(data.weight[n]) / 2;
        RC_ASSERT(std::abs(state.fitted_general[n] - half) < 1e-9);
      }
    };
    fit_mixture(data, options, exec);
  }));
}

}  // namespace
}  // namespace megadapt
