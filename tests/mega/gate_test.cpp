// Which features the gate sees, and the logistic gate.
#include <gmock/gmock.h>

#include "base/log_space.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/gate_columns.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "oracle/maxent.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::exact_options;
using testing_support::holds;
using testing_support::random_problem;
using testing_support::tiny_problem;

bool is_present(const Dataset& data, std::size_t n, std::uint32_t f) {
  const RowView row = data.rows[n];
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (row.features[i] == f) return row.values.empty() || row.values[i] > 0;
  }
  return false;
}

// H(domain) - H(domain | presence of f), from counts of rows.
double information_gain(const Dataset& data, std::uint32_t f) {
  const auto entropy = [&](auto counts) {
    double total = 0, sum = 0;
    for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
      double count = 0;
      for (std::size_t n = 0; n < data.num_examples(); ++n) {
        count += data.domain[n] == d && counts(n);
      }
      total += count;
      if (count > 0) sum -= count * std::log(count);
    }
    return total > 0 ? sum + total * std::log(total) : 0;  // times the row count
  };
  return (entropy([](std::size_t) { return true; }) -
          entropy([&](std::size_t n) { return is_present(data, n, f); }) -
          entropy([&](std::size_t n) { return !is_present(data, n, f); })) /
         static_cast<double>(data.num_examples());
}

TEST(GateFeatures, AreAllInUseExceptTheBias) {
  Dataset data = tiny_problem();
  data.own_schema().features.add("unused");
  EXPECT_THAT(choose_gate_features(data, 0, Execution(1)), ElementsAre(1, 2, 3));
  EXPECT_THAT(choose_gate_features(data, 100, Execution(1)), ElementsAre(1, 2, 3));
}

TEST(GateFeatures, AreThoseThatTellMostAboutTheDomain) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 2 + seed % 2);
    const auto all = choose_gate_features(data, 0, Execution(1));
    const std::size_t count = 1 + seed % 5;
    const auto chosen = choose_gate_features(data, count, Execution(1));
    RC_ASSERT(chosen.size() == std::min(count, all.size()));
    RC_ASSERT(std::ranges::is_sorted(chosen));
    double least = INFINITY;
    for (const std::uint32_t f : chosen) {
      least = std::min(least, information_gain(data, f));
    }
    for (const std::uint32_t f : all) {
      if (std::ranges::count(chosen, f) == 0) {
        RC_ASSERT(information_gain(data, f) <= least + 1e-12);
      }
    }
  }));
}

bool contains(std::span<const std::uint32_t> features, std::size_t g) {
  return std::find(features.begin(), features.end(), g) != features.end();
}

TEST(GateColumns, HoldTheRowsOfEachDomain) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    const GateColumns columns(data, choose_gate_features(data, 4, Execution(1)));
    for (std::size_t g = 0; g < columns.size(); ++g) {
      std::size_t seen = 0;
      for (std::uint32_t d = 0; d < 3; ++d) {
        std::vector<std::uint32_t> expected;
        for (std::uint32_t n = 0; n < data.num_examples(); ++n) {
          if (data.domain[n] == d && is_present(data, n, columns.feature(g))) {
            expected.push_back(n);
          }
        }
        const auto found = columns.rows(g, d);
        RC_ASSERT(std::vector(found.begin(), found.end()) == expected);
        RC_ASSERT(contains(columns.seen(d), g) == !expected.empty());
        RC_ASSERT(contains(columns.unseen(d), g) == expected.empty());
        seen += expected.size();
      }
      RC_ASSERT(columns.rows(g, kNone).size() == seen);
      RC_ASSERT(contains(columns.seen(kNone), g) == (seen > 0));
      RC_ASSERT(contains(columns.unseen(kNone), g) == (seen == 0));
    }
  }));
}

// The gate, unlike the experts, takes values at or below 0 as absent.
TEST(Gate, SeesWhetherAFeatureIsPresent) {
  Dataset data = tiny_problem();
  data.rows.value.assign(data.rows.nonzeros(), 2.5f);
  for (std::size_t i = 0; i < data.rows.nonzeros(); ++i) {
    if (data.rows.feature[i] == 2) data.rows.value[i] = i % 2 == 0 ? -1.0f : 0.0f;
  }
  EXPECT_THAT(choose_gate_features(data, 0, Execution(1)), ElementsAre(1, 3));
  EXPECT_THAT(GateColumns(data, {2}).rows(0, kNone), IsEmpty());
  const Mixture fitted = fit_mixture(data, exact_options(), Execution(1));
  EXPECT_EQ(fitted.general.presence[2], 0.5);
  EXPECT_EQ(fitted.gate.weights[2 * 2 + 0], 0);
  EXPECT_NE(fitted.general.weights[2 * 2 + 0], 0);  // the expert does see it
}

TEST(Gate, FeaturesOutsideHaveNoWeight) {
  const Dataset data = random_problem(3);
  for (const Gate gate : {Gate::presence, Gate::logistic}) {
    MixtureOptions options = exact_options();
    options.gate = gate;
    options.gate_features = 2;
    const Mixture fitted = fit_mixture(data, options, Execution(1));
    const auto chosen = choose_gate_features(data, 2, Execution(1));
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      const bool inside = std::ranges::count(chosen, f) > 0;
      EXPECT_EQ(fitted.gate.weights[f * 2] != 0, inside) << f;
      EXPECT_EQ(fitted.gate.weights[f * 2 + 1] != 0, inside) << f;
    }
  }
}

// sum_n v_n log[gamma p(y|x,g) + (1-gamma) p(y|x,d)] - |u|^2 / (2 variance), as a function
// of the gate.
double logistic_objective(const Dataset& data, const Mixture& m, double gate_variance) {
  const std::size_t K = data.num_domains();
  double sum = 0;
  for (const double u : m.gate.weights) sum -= u * u / (2 * gate_variance);
  for (const double u : m.gate.intercept) sum -= u * u / (2 * gate_variance);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const std::uint32_t d = data.domain[n];
    double log_odds = m.gate.intercept[d];
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      if (is_present(data, n, f)) log_odds += m.gate.weights[f * K + d];
    }
    const double gamma = sigmoid(log_odds);
    const auto general = oracle::probabilities(data, n, m.general.weights);
    const auto specific = oracle::probabilities(data, n, m.domain[d].weights);
    sum += static_cast<double>(data.weight[n]) *
           std::log(gamma * general[data.label[n]] + (1 - gamma) * specific[data.label[n]]);
  }
  return sum;
}

// After training, the gradient in every gate weight is 0. The domains have equal size, so a
// domain's rows, taken twice, are as many as the data set has.
TEST(LogisticGate, EndsAtAStationaryPoint) {
  const Dataset data = testing_support::random_data(
      {.rows = 60, .features = 5, .domains = 2, .weights = true}, 21);
  MixtureOptions options = exact_options();
  options.gate = Gate::logistic;
  options.gate_variance = 2;
  options.rounds = 400;
  Mixture m = fit_mixture(data, options, Execution(1));
  const auto expect_flat = [&](double& u) {
    const double at = u;
    u = at + 1e-4;
    const double above = logistic_objective(data, m, options.gate_variance);
    u = at - 1e-4;
    const double below = logistic_objective(data, m, options.gate_variance);
    u = at;
    EXPECT_NEAR((above - below) / 2e-4, 0, 2e-3);
  };
  for (double& u : m.gate.intercept) expect_flat(u);
  for (std::uint32_t f = 1; f < data.num_features(); ++f) {
    for (std::size_t d = 0; d < 2; ++d) expect_flat(m.gate.weights[f * 2 + d]);
  }
}

// This gate has no parameter pi: pi is the mean of P(general | x) under the final gate.
TEST(LogisticGate, ShareIsTheMeanOfTheGate) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    MixtureOptions options = testing_support::random_options(seed, 2);
    options.gate = Gate::logistic;
    const Mixture m = fit_mixture(data, options, Execution(1));
    const MixturePredictor model(data.num_labels(), m);
    for (std::uint32_t d = 0; d < 2; ++d) {
      double general = 0, mass = 0;
      for (const std::size_t n : data.rows_of(d)) {
        const double v = static_cast<double>(data.weight[n]);
        general += v * *model.general(data.rows[n], d);
        mass += v;
      }
      RC_ASSERT(std::abs(m.general_share[d] - general / mass) < 1e-6);
    }
  }));
}

TEST(LogisticGate, ShareMayNotBeHeldAtTheEnds) {
  MixtureOptions options;
  options.gate = Gate::logistic;
  options.learn_share = false;
  options.first_share = {1, 0.5};
  EXPECT_THROW(fit_mixture(tiny_problem(), options, Execution(1)), UsageError);
}

}  // namespace
}  // namespace megadapt
