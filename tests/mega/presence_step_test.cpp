// The closed-form steps of pi and psi: one small problem, and the sweeps that solve it for
// each feature.
#include "mega/presence_step.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/tilted_bernoulli.hpp"
#include "mega/gate_columns.hpp"
#include "mega/mixture_problems.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing_support::add_row;
using testing_support::holds;

double tilted_slope(double t, double P, double T, double S) {
  return P / t - (T - P) / (1 - t) - S;
}

// The derivative falls from +inf to -inf, so bisection finds its zero.
double tilted_mode_by_halving(double P, double T, double S) {
  double low = 0, high = 1;
  for (int i = 0; i < 2000 && low < high; ++i) {
    const double t = (low + high) / 2;
    if (t == low || t == high) break;
    (tilted_slope(t, P, T, S) > 0 ? low : high) = t;
  }
  return (low + high) / 2;
}

TEST(TiltedBernoulli, IsWhereTheDerivativeVanishes) {
  EXPECT_TRUE(holds(1000, [](std::uint64_t seed) {
    Random random(seed);
    const double T = std::pow(10, 8 * random.uniform() - 3);
    const double P = T * random.uniform();
    const double S =
        (random.below(2) == 0 ? 1 : -1) * std::pow(10, 14 * random.uniform() - 7);
    const double expected = std::clamp(tilted_mode_by_halving(P, T, S), kProbabilityMargin,
                                       1 - kProbabilityMargin);
    const double mode = tilted_bernoulli_mode(P, T, S);
    RC_ASSERT(mode > 0 && mode < 1);
    RC_ASSERT(std::abs(mode - expected) <= 1e-9 * expected + 1e-12);
  }));
}

TEST(TiltedBernoulli, WithoutTiltIsTheShare) {
  EXPECT_DOUBLE_EQ(tilted_bernoulli_mode(3, 4, 0), 0.75);
  EXPECT_NEAR(tilted_bernoulli_mode(3, 4, 1e-12), 0.75, 1e-12);
  EXPECT_NEAR(tilted_bernoulli_mode(3, 4, -1e-12), 0.75, 1e-12);
}

TEST(TiltedBernoulli, NeverAndAlwaysStayInside) {
  for (const double S : {-1e6, -10.0, -1.0, 0.0, 1.0, 10.0, 1e6}) {
    // P = 0: the maximum of T log(1 - t) - S t, at 1 + T / S if that is inside (0, 1).
    const double never = tilted_bernoulli_mode(0, 2, S);
    EXPECT_NEAR(never, S < -2 ? 1 + 2 / S : kProbabilityMargin, 1e-12);
    // P = T: the maximum of T log t - S t, at T / S if that is inside (0, 1).
    const double always = tilted_bernoulli_mode(2, 2, S);
    EXPECT_NEAR(always, S > 2 ? 2 / S : 1 - kProbabilityMargin, 1e-12);
    EXPECT_TRUE(std::isfinite(std::log(never)) && std::isfinite(std::log1p(-always)));
  }
}

// The step of one component on a random data set.
struct Problem {
  explicit Problem(std::uint64_t seed, std::uint32_t which = kNone)
      : data(testing_support::random_problem(seed)), domain(which) {
    Random random(seed + 5);
    // Extra features, so that the component sees empty, full and ordinary columns.
    for (const char* name : {"everywhere", "elsewhere", "elsewhere too", "nowhere"}) {
      data.own_schema().features.add(name);
    }
    const std::uint32_t first = data.num_features() - 4;
    Dataset wider = data;
    wider.rows = {};
    RowBuilder builder(wider.rows);
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      const RowView row = data.rows[n];
      builder.add(row);
      builder.add(first);
      if (data.domain[n] == 0) builder.add(first + 1), builder.add(first + 2);
      builder.end();
    }
    data = wider;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      const double v = static_cast<double>(data.weight[n]);
      responsibility.push_back(v * random.uniform());
      prior_mass.push_back(v * random.uniform());
      if (domain == kNone || data.domain[n] == domain) rows.push_back(n);
    }
    beta = {1 + 2 * random.uniform(), 1 + 2 * random.uniform()};
    presence.assign(data.num_features(), 0.5);
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      const double psi = 0.05 + 0.9 * random.uniform();
      if (!is_empty(f)) presence[f] = psi;  // empty features always share one psi
    }
  }

  bool has(std::size_t n, std::uint32_t f) const {
    const RowView row = data.rows[n];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      if (row.features[i] == f) return row.values.empty() || row.values[i] > 0;
    }
    return false;
  }

  bool is_empty(std::uint32_t f) const {
    for (const std::size_t n : rows) {
      if (has(n, f)) return false;
    }
    return true;
  }

  // r_n after psi changed from `old` to `now`, by definition.
  double ratio(std::size_t n, const std::vector<std::uint32_t>& features,
               const std::vector<double>& old, const std::vector<double>& now) const {
    double r = prior_mass[n];
    for (const std::uint32_t f : features) {
      r *= has(n, f) ? now[f] / old[f] : (1 - now[f]) / (1 - old[f]);
    }
    return r;
  }

  // P and T of one feature.
  double successes(std::uint32_t f) const {
    double sum = beta.a - 1;
    for (const std::size_t n : rows) sum += has(n, f) ? responsibility[n] : 0;
    return sum;
  }
  double trials() const {
    double sum = beta.a + beta.b - 2;
    for (const std::size_t n : rows) sum += responsibility[n];
    return sum;
  }

  double bound(const std::vector<std::uint32_t>& features, const std::vector<double>& old,
               const std::vector<double>& now) const {
    double sum = 0;
    for (const std::uint32_t f : features) {
      sum += successes(f) * std::log(now[f]) +
             (trials() - successes(f)) * std::log(1 - now[f]);
    }
    for (const std::size_t n : rows) sum -= ratio(n, features, old, now);
    return sum;
  }

  // Returns the joint maximum over empty features: the sum of their derivatives is 0.
  double empty_mode(const std::vector<std::uint32_t>& features,
                    const std::vector<std::uint32_t>& empty, const std::vector<double>& old,
                    std::vector<double> now) const {
    double low = 0, high = 1;
    for (int i = 0; i < 200; ++i) {
      const double psi = (low + high) / 2;
      for (const std::uint32_t f : empty) now[f] = psi;
      double slope = 0;
      for (const std::uint32_t f : empty) {
        slope += tilted_slope(psi, successes(f), trials(), 0);
        for (const std::size_t n : rows) slope += ratio(n, features, old, now) / (1 - psi);
      }
      (slope > 0 ? low : high) = psi;
    }
    return (low + high) / 2;
  }

  // Sweeps in O(N F^2): computes every ratio from its definition, every time.
  std::vector<double> naive(const std::vector<std::uint32_t>& features, int sweeps) const {
    std::vector<double> now = presence;
    std::vector<std::uint32_t> empty;
    for (const std::uint32_t f : features) {
      if (is_empty(f)) empty.push_back(f);
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (const std::uint32_t f : features) {
        if (is_empty(f)) continue;
        double present = 0, absent = 0;
        for (const std::size_t n : rows) {
          (has(n, f) ? present : absent) += ratio(n, features, presence, now);
        }
        now[f] = tilted_bernoulli_mode(successes(f), trials(),
                                       present / now[f] - absent / (1 - now[f]));
      }
      if (!empty.empty()) {
        const double mode = empty_mode(features, empty, presence, now);
        for (const std::uint32_t f : empty) now[f] = mode;
      }
    }
    return now;
  }

  PresenceStep step(const GateColumns& columns, int sweeps) const {
    return {columns, domain, rows, responsibility, prior_mass, beta, sweeps, true};
  }

  Dataset data;
  std::uint32_t domain;
  std::vector<std::size_t> rows;
  std::vector<double> responsibility, prior_mass;
  BetaPrior beta;
  std::vector<double> presence;
};

TEST(PresenceStep, EqualsTheNaiveSweep) {
  EXPECT_TRUE(holds(40, [](std::uint64_t seed) {
    const std::uint32_t which[] = {kNone, 0, 1};
    const Problem p(seed, which[seed % 3]);
    const auto features = choose_gate_features(p.data, 0, Execution(1));
    const GateColumns columns(p.data, features);
    const int sweeps = 1 + static_cast<int>(seed % 4);
    std::vector<double> fast = p.presence;
    const double gain = maximise_presence(p.step(columns, sweeps), fast);
    const std::vector<double> slow = p.naive(features, sweeps);
    for (std::uint32_t f = 0; f < fast.size(); ++f) {
      RC_ASSERT(std::abs(fast[f] - slow[f]) < 1e-10);
    }
    const double expected =
        p.bound(features, p.presence, slow) - p.bound(features, p.presence, p.presence);
    RC_ASSERT(std::abs(gain - expected) < 1e-8 * (1 + std::abs(expected)));
  }));
}

// With more than kFewRows rows (presence_step.cpp) successes are counted before the first
// sweep, otherwise during it.
TEST(PresenceStep, ManyRowsThatWeighNothingChangeNothing) {
  constexpr std::size_t kMany = 300'000;
  const Problem p(3, kNone);
  const GateColumns columns(p.data, choose_gate_features(p.data, 0, Execution(1)));
  std::vector<double> few = p.presence;
  const double gain = maximise_presence(p.step(columns, 2), few);

  Problem padded = p;
  while (padded.rows.size() < kMany) padded.rows.push_back(padded.rows.size());
  padded.responsibility.resize(kMany);
  padded.prior_mass.resize(kMany);
  std::vector<double> many = p.presence;
  EXPECT_NEAR(maximise_presence(padded.step(columns, 2), many), gain, 1e-10);
  for (std::size_t f = 0; f < few.size(); ++f) EXPECT_NEAR(many[f], few[f], 1e-10) << f;
}

TEST(PresenceStep, NoSweepLowersTheBound) {
  EXPECT_TRUE(holds(40, [](std::uint64_t seed) {
    const Problem p(seed, seed % 2 == 0 ? kNone : 1);
    const GateColumns columns(p.data, choose_gate_features(p.data, 0, Execution(1)));
    std::vector<double> psi = p.presence;
    double last = 0;
    for (int sweeps = 1; sweeps <= 6; ++sweeps) {
      psi = p.presence;
      const double gain = maximise_presence(p.step(columns, sweeps), psi);
      RC_ASSERT(gain >= last - 1e-10 * (1 + std::abs(last)));
      last = gain;
    }
  }));
}

// Sweeps converge to the bound's maximum, where no coordinate gains any more.
TEST(PresenceStep, ManySweepsConverge) {
  const Problem p(11, 1);
  const auto features = choose_gate_features(p.data, 0, Execution(1));
  const GateColumns columns(p.data, features);
  std::vector<double> psi = p.presence;
  maximise_presence(p.step(columns, 3000), psi);
  const double best = p.bound(features, p.presence, psi);
  for (const std::uint32_t f : features) {
    for (const double away : {-1e-4, 1e-4}) {
      std::vector<double> near = psi;
      near[f] += away;
      EXPECT_LT(p.bound(features, p.presence, near), best + 1e-12) << f;
    }
  }
}

TEST(PresenceStep, TheJointStepGainsWhatTheBoundSays) {
  EXPECT_TRUE(holds(40, [](std::uint64_t seed) {
    const std::uint32_t which[] = {kNone, 0, 1};
    const Problem p(seed, which[seed % 3]);
    const auto features = choose_gate_features(p.data, 0, Execution(1));
    const GateColumns columns(p.data, features);
    std::vector<double> psi = p.presence;
    const double gain =
        maximise_presence_jointly(p.data, p.step(columns, 3), psi, Execution(1));
    const double expected =
        p.bound(features, p.presence, psi) - p.bound(features, p.presence, p.presence);
    RC_ASSERT(gain >= 0);
    RC_ASSERT(std::abs(gain - expected) < 1e-8 * (1 + std::abs(expected)));
  }));
}

// Joint steps that count as three sweeps gain at least 0.9 of what many sweeps gain.
TEST(PresenceStep, TheJointStepGainsNearlyAsMuchAsSweeps) {
  EXPECT_TRUE(holds(40, [](std::uint64_t seed) {
    const Problem p(seed, seed % 2 == 0 ? kNone : 1);
    const GateColumns columns(p.data, choose_gate_features(p.data, 0, Execution(1)));
    std::vector<double> swept = p.presence, joint = p.presence;
    const double most = maximise_presence(p.step(columns, 500), swept);
    const double gain =
        maximise_presence_jointly(p.data, p.step(columns, 3), joint, Execution(1));
    RC_ASSERT(gain >= 0.9 * most - 1e-9);
  }));
}

// Without a prior, psi of a feature that every responsible row has would become 1.
TEST(PresenceStep, CertainFeaturesStayInside) {
  Problem p(3);
  p.beta = {1, 1};
  p.prior_mass.assign(p.prior_mass.size(), 0);
  const GateColumns columns(p.data, choose_gate_features(p.data, 0, Execution(1)));
  std::vector<double> joint = p.presence;
  maximise_presence(p.step(columns, 2), p.presence);
  EXPECT_EQ(p.presence[p.data.num_features() - 4], 1 - kProbabilityMargin);
  maximise_presence_jointly(p.data, p.step(columns, 20), joint, Execution(1));
  EXPECT_GT(joint[p.data.num_features() - 4], 0.99);
  EXPECT_LT(joint[p.data.num_features() - 4], 1);
}

TEST(PresenceStep, WithoutRowsOrPriorNothingChanges) {
  Problem p(4, 1);
  p.responsibility.assign(p.responsibility.size(), 0);
  p.beta = {1, 1};
  const GateColumns columns(p.data, choose_gate_features(p.data, 0, Execution(1)));
  const std::vector<double> before = p.presence;
  EXPECT_EQ(maximise_presence(p.step(columns, 3), p.presence), 0);
  EXPECT_EQ(maximise_presence_jointly(p.data, p.step(columns, 3), p.presence, Execution(1)),
            0);
  EXPECT_EQ(p.presence, before);
}

// If a domain is entirely general, the prior alone determines its own component, however
// many of its features are empty.
TEST(PresenceStep, WithoutResponsibilityThePriorDecides) {
  Dataset data;
  for (int f = 0; f < 4000; ++f) data.own_schema().features.add(fmt::format("f{}", f));
  data.own_schema().labels.add("y");
  data.own_schema().domains.add("d0");
  data.own_schema().domains.add("d1");
  std::vector<std::uint32_t> all(4000);
  for (std::uint32_t f = 0; f < 4000; ++f) all[f] = f;
  add_row(data, all, 0, 0);
  add_row(data, {0}, 0, 1);
  const GateColumns columns(data, choose_gate_features(data, 0, Execution(1)));
  const std::vector<std::size_t> rows{1};
  const std::vector<double> nothing{0, 0};
  std::vector<double> presence(4000, 0.5);
  maximise_presence({columns, 1, rows, nothing, nothing, {2, 5}, 3, true}, presence);
  EXPECT_THAT(presence, Each(DoubleNear(0.2, 1e-12)));  // (a - 1) / (a + b - 2)
}

// Without rescaling, the common factor of the ratios would overflow many times.
TEST(PresenceStep, SurvivesHalfAMillionFeatures) {
  constexpr std::uint32_t kFeatures = 500'000;
  Dataset data;
  for (std::uint32_t f = 0; f < kFeatures; ++f)
    data.own_schema().features.add(fmt::format("f{}", f));
  data.own_schema().labels.add("y");
  data.own_schema().domains.add("d0");
  data.own_schema().domains.add("d1");
  constexpr std::uint32_t kFewRows = 40;
  for (std::uint32_t n = 0; n < kFewRows; ++n) {
    std::vector<std::uint32_t> features;
    for (std::uint32_t f = n; f < kFeatures / (n < kFewRows / 2 ? 1 : 2); f += 100) {
      features.push_back(f);
    }
    add_row(data, features, 0, n < kFewRows / 2 ? 0 : 1);
  }
  const GateColumns columns(data, choose_gate_features(data, 0, Execution(1)));
  const std::vector<double> half(kFewRows, 0.5);
  for (const std::uint32_t domain : {0u, 1u, kNone}) {
    std::vector<std::size_t> rows;
    for (std::size_t n = 0; n < kFewRows; ++n) {
      if (domain == kNone || data.domain[n] == domain) rows.push_back(n);
    }
    const PresenceStep step{columns, domain, rows, half, half, {2, 2}, 2, true};
    for (const bool jointly : {false, true}) {
      std::vector<double> presence(kFeatures, 0.5);
      const double gain =
          jointly ? maximise_presence_jointly(data, step, presence, Execution(1))
                  : maximise_presence(step, presence);
      EXPECT_TRUE(std::isfinite(gain));
      EXPECT_GE(gain, 0);
      EXPECT_GT(std::ranges::min(presence), 0);
      EXPECT_LT(std::ranges::max(presence), 1);
    }
  }
}

}  // namespace
}  // namespace megadapt
