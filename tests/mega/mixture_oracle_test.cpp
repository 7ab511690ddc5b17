// Checks every step of conditional EM on a few rows against the model's definition.
#include <gmock/gmock.h>

#include "base/log_space.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "oracle/mega.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::Pointwise;
using testing_support::exact_options;
using testing_support::tiny_problem;

constexpr double kRounding = 1e-10;
// Golden section search finds a maximum only to about the root of the rounding error.
constexpr double kFlatTop = 1e-6;

struct Case {
  std::uint32_t domains;
  std::uint32_t labels;
};

// Trains a tiny problem and keeps the mixture before and after each sub-step of the last
// round.
class MixtureOracle : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    data_ = tiny_problem(GetParam().domains, GetParam().labels);
    options_ = exact_options();
    options_.rounds = 3;
    options_.variance = 0.7;
    options_.specific_variance = 1.3;
    options_.beta = {1.5, 2.5};
    options_.psi_sweeps = 1;
    options_.first_share = {0.3, 0.6, 0.8};
    options_.first_share.resize(data_.num_domains());
    options_.on_step = [&](const MixtureStep& step) {
      if (step.round == 3) steps_.push_back(step);
    };
    options_.on_round = [&](const MixtureState& state) {
      if (state.rounds_done == 2) before_ = state.mixture;
      if (state.rounds_done == 3) last_ = state;
    };
    fit_mixture(data_, options_, Execution(1));
    after_ = last_.mixture;
    after_share_ = before_;
    after_share_.general_share = after_.general_share;
    after_weights_ = after_;
    after_weights_.general.presence = before_.general.presence;
    for (std::size_t d = 0; d < after_.domain.size(); ++d) {
      after_weights_.domain[d].presence = before_.domain[d].presence;
    }
  }

  const MixtureStep& step(const std::string& name) const {
    for (const MixtureStep& s : steps_) {
      if (s.step == name) return s;
    }
    throw std::logic_error("no step " + name);
  }

  Dataset data_;
  MixtureOptions options_;
  Mixture before_, after_share_, after_weights_, after_;
  MixtureState last_;
  std::vector<MixtureStep> steps_;
};

TEST_P(MixtureOracle, PosteriorsOfTheEStep) {
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    const double v = static_cast<double>(data_.weight[n]);
    const double h = oracle::responsibility(data_, n, after_share_);
    EXPECT_NEAR(last_.fitted_general[n], v * h, kRounding);
    EXPECT_NEAR(last_.fitted_specific[n], v * (1 - h), kRounding);
  }
}

TEST_P(MixtureOracle, ShareMaximisesTheBound) {
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    Mixture now = before_;
    const double best = oracle::argmax(
        [&](double share) {
          now.general_share[d] = share;
          return oracle::gate_bound(data_, before_, now, options_.beta);
        },
        1e-6, 1 - 1e-6);
    EXPECT_NEAR(step("pi").general_share[d], best, kFlatTop);
  }
  EXPECT_THAT(step("pi").general_share, Pointwise(DoubleNear(0), after_.general_share));
}

// The gradient of the weighted penalised likelihood is 0, by central differences.
TEST_P(MixtureOracle, WeightsMaximiseTheWeightedLikelihood) {
  const auto check = [&](Component fitted, std::span<const std::size_t> rows,
                         const std::vector<double>& weight, double variance) {
    const auto value = [&] {
      return oracle::negative_log_posterior(data_, rows, weight, fitted.weights, variance);
    };
    for (double& w : fitted.weights) {
      const double at = w, step = 1e-4;
      w = at + step;
      const double above = value();
      w = at - step;
      EXPECT_NEAR((above - value()) / (2 * step), 0, kFlatTop);
      w = at;
    }
  };
  check(after_.general, testing_support::all_rows(data_), last_.fitted_general,
        options_.variance);
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    const auto rows = data_.rows_of(d);
    std::vector<double> weight;
    for (const std::size_t n : rows) weight.push_back(last_.fitted_specific[n]);
    check(after_.domain[d], rows, weight, options_.specific_variance);
  }
}

// One sweep maximises each feature that the component's rows have, one after another, then
// all others jointly.
TEST_P(MixtureOracle, PresenceMaximisesTheBoundByCoordinate) {
  for (std::uint32_t c = 0; c <= data_.num_domains(); ++c) {
    const bool is_general = c == data_.num_domains();
    Mixture now = after_weights_;
    std::vector<double>& psi = is_general ? now.general.presence : now.domain[c].presence;
    const auto maximise = [&](const std::vector<std::uint32_t>& features) {
      const double best = oracle::argmax(
          [&](double value) {
            for (const std::uint32_t f : features) psi[f] = value;
            return oracle::gate_bound(data_, after_weights_, now, options_.beta);
          },
          1e-6, 1 - 1e-6);
      for (const std::uint32_t f : features) psi[f] = best;
    };
    std::vector<std::uint32_t> empty;
    for (const std::uint32_t f : oracle::gate_features(data_)) {
      bool has = false;
      for (std::size_t n = 0; n < data_.num_examples(); ++n) {
        const bool own = is_general || data_.domain[n] == c;
        has = has || (own && oracle::is_present(data_, n, f));
      }
      if (has) maximise({f});
      if (!has) empty.push_back(f);
    }
    if (!empty.empty()) maximise(empty);
    EXPECT_THAT(is_general ? after_.general.presence : after_.domain[c].presence,
                Pointwise(DoubleNear(kFlatTop), psi));
  }
}

TEST_P(MixtureOracle, TraceTellsObjectiveAndBound) {
  const auto objective = [&](const Mixture& m) {
    return oracle::objective(data_, m, options_);
  };
  EXPECT_NEAR(step("e").objective, objective(before_), kRounding);
  EXPECT_NEAR(step("pi").objective, objective(after_share_), kRounding);
  EXPECT_NEAR(step("lambda").objective, objective(after_weights_), kRounding);
  EXPECT_NEAR(step("psi").objective, objective(after_), kRounding);

  const auto bound = [&](const Mixture& old, const Mixture& now) {
    return oracle::gate_bound(data_, old, now, options_.beta);
  };
  EXPECT_NEAR(step("pi").bound, bound(before_, after_share_), kRounding);
  EXPECT_NEAR(step("psi").bound, bound(after_weights_, after_), kRounding);
  double expected = 0;  // gain of lambda in the weighted penalised likelihood
  const auto add = [&](const Mixture& m, double sign) {
    expected += sign * oracle::weight_log_prior(m.general, options_.variance);
    for (const Component& component : m.domain) {
      expected += sign * oracle::weight_log_prior(component, options_.specific_variance);
    }
    for (std::size_t n = 0; n < data_.num_examples(); ++n) {
      const Component& own = m.domain[data_.domain[n]];
      expected += sign * (last_.fitted_general[n] *
                              std::log(oracle::label_probability(data_, n, m.general)) +
                          last_.fitted_specific[n] *
                              std::log(oracle::label_probability(data_, n, own)));
    }
  };
  add(after_weights_, 1);
  add(after_share_, -1);
  EXPECT_NEAR(step("lambda").bound, expected, kRounding);
}

TEST_P(MixtureOracle, GateIsTheLogOddsOfGeneral) {
  const std::size_t K = data_.num_domains();
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    const std::uint32_t d = data_.domain[n];
    double log_odds = after_.gate.intercept[d];
    for (const std::uint32_t f : data_.rows[n].features) {
      log_odds += after_.gate.weights[f * K + d];
    }
    EXPECT_NEAR(log_odds, logit(oracle::gamma(data_, n, after_)), kRounding);
  }
}

// The tolerance allows for weights rounded to float.
TEST_P(MixtureOracle, Prediction) {
  const MixturePredictor model(data_.num_labels(), after_);
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    std::vector<double> p(data_.num_labels());
    model.predict(data_.rows[n], data_.domain[n], p);
    EXPECT_THAT(p, Pointwise(DoubleNear(1e-6), oracle::predict(data_, n, after_)));
    EXPECT_NEAR(*model.general(data_.rows[n], data_.domain[n]),
                oracle::gamma(data_, n, after_), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Tiny, MixtureOracle,
                         testing::Values(Case{2, 2}, Case{2, 3}, Case{3, 2}, Case{3, 3}));

}  // namespace
}  // namespace megadapt
