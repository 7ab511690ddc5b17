// Data drawn from the model itself: training recovers the planted parameters.
#include "mega/mixture_planted.hpp"

#include <gtest/gtest.h>

#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::log_loss;
using testing_support::one_thread;
using testing_support::Planted;

double maxent_log_loss(const Dataset& train, const std::vector<std::size_t>& rows,
                       double variance, const Dataset& test, std::uint32_t domain) {
  MaxentOptions options;
  options.prior.variance = variance;
  const auto fit = MaxentProblem(train, rows, one_thread()).fit({}, options, one_thread());
  return log_loss(MaxentPredictor(train.num_labels(), fit.weights), test, domain);
}

double mean_gate(const Mixture& fitted, const Dataset& data, std::uint32_t domain) {
  const MixturePredictor model(data.num_labels(), fitted);
  double sum = 0;
  const auto rows = data.rows_of(domain);
  for (const std::size_t n : rows) sum += *model.general(data.rows[n], domain);
  return sum / static_cast<double>(rows.size());
}

MixtureOptions long_training(Gate gate) {
  MixtureOptions options;
  options.gate = gate;
  options.rounds = 64;
  options.variance = 10;
  return options;
}

// Two informative gate features. The conditional likelihood depends only on P(g | x), in
// which pi and psi can replace each other. The prior decides between them, and it prefers
// the planted psi (docs/derivation.md §4).
TEST(PlantedMixture, SharesAndGateAreRecovered) {
  Planted planted;
  planted.rows = {4000, 4000};
  planted.gate_features = 2;
  planted.label_features = 18;
  planted.loudness = 4;
  const double log_odds = 2 * logit(planted.psi);
  const Dataset data = sample(planted, 1);
  for (const Gate gate : {Gate::presence, Gate::logistic}) {
    const Mixture fitted = fit_mixture(data, long_training(gate), one_thread());
    for (std::uint32_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(fitted.general_share[d], planted.general_share[d], 0.05);
      EXPECT_NEAR(mean_gate(fitted, data, d), planted.general_share[d], 0.03);
      EXPECT_NEAR(fitted.gate.weights[1 * 2 + d], log_odds, 0.5);
      EXPECT_NEAR(fitted.gate.weights[2 * 2 + d], -log_odds, 0.5);
    }
    if (gate == Gate::logistic) continue;
    EXPECT_NEAR(fitted.general.presence[1], planted.psi, 0.05);
    EXPECT_NEAR(fitted.domain[1].presence[1], 1 - planted.psi, 0.05);
  }
}

// With ten gate features the mean of the gate is still recovered, though pi is not.
TEST(PlantedMixture, TheMeanOfTheGateIsRecovered) {
  const Planted planted;
  const Dataset data = sample(planted, 1);
  for (const Gate gate : {Gate::presence, Gate::logistic}) {
    const Mixture fitted = fit_mixture(data, long_training(gate), one_thread());
    for (std::uint32_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(mean_gate(fitted, data, d), planted.general_share[d], 0.05);
    }
  }
}

// Five rounds beat both one model for all rows and one for the domain's own; twenty beat
// them clearly.
TEST(PlantedMixture, BeatsMixAndOnlyTheTarget) {
  const Planted planted;
  const Dataset train = sample(planted, 1), test = sample(planted, 2);
  for (std::uint32_t d = 0; d < 2; ++d) {
    const double mix = maxent_log_loss(train, all_rows(train), 1, test, d);
    const double only = maxent_log_loss(train, train.rows_of(d), 1, test, d);
    for (const Gate gate : {Gate::presence, Gate::logistic}) {
      const auto loss_after = [&](int rounds) {
        MixtureOptions options;
        options.gate = gate;
        options.rounds = rounds;
        return log_loss(MixturePredictor(2, fit_mixture(train, options, one_thread())),
                        test, d);
      };
      EXPECT_LT(loss_after(5), std::min(mix, only));
      EXPECT_LT(loss_after(20), std::min(mix, only) - 0.05);
    }
  }
}

// With a hundred target rows and two hundred noise features, the target's own expert
// overfits, so the training E-step takes its rows for specific. Evidence from experts that
// have not seen a row gives a better model.
TEST(PlantedMixture, UnseenRowsAreJudgedBetter) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Planted planted;
    planted.seed = seed;
    planted.general_share = {0.95, 0.5};
    planted.rows = {2000, 100};
    planted.gate_features = 0;
    planted.noise_features = 200;
    planted.loudness = 2;
    const Dataset train = sample(planted, 1);
    planted.rows = {1, 3000};
    const Dataset test = sample(planted, 2);
    for (const Centre centre : {Centre::zero, Centre::general}) {
      const auto loss_with = [&](EStep e_step) {
        MixtureOptions options;
        options.e_step = e_step;
        options.centre = centre;
        return log_loss(MixturePredictor(2, fit_mixture(train, options, one_thread())),
                        test, 1);
      };
      const double training = loss_with(EStep::training);
      EXPECT_LT(loss_with(EStep::leave_one_out), training - 0.02);
      EXPECT_LT(loss_with(EStep::cross_fit), training - 0.015);
    }
  }
}

}  // namespace
}  // namespace megadapt
