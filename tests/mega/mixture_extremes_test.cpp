// Extreme and invalid data and options.
#include <gmock/gmock.h>

#include <limits>

#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;
using testing_support::add_row;
using testing_support::exact_options;
using testing_support::one_thread;
using testing_support::random_problem;
using testing_support::tiny_problem;

void expect_finite(const std::vector<double>& values) {
  for (const double value : values) ASSERT_TRUE(std::isfinite(value));
}

void expect_probabilities(const std::vector<double>& values) {
  for (const double value : values) ASSERT_TRUE(value > 0 && value < 1) << value;
}

// Trains in every possible way; all results must be finite.
void survives(const Dataset& data, MixtureOptions options = {}) {
  for (const Gate gate : {Gate::presence, Gate::logistic}) {
    for (const EStep e_step : {EStep::training, EStep::leave_one_out, EStep::cross_fit}) {
      for (const Centre centre : {Centre::zero, Centre::general}) {
        options.gate = gate;
        options.e_step = e_step;
        options.centre = centre;
        options.rounds = 3;
        options.on_step = [](const MixtureStep& step) {
          ASSERT_TRUE(std::isfinite(step.objective));
        };
        const Mixture fitted = fit_mixture(data, options, one_thread());
        expect_finite(fitted.general.weights);
        expect_finite(fitted.gate.weights);
        expect_finite(fitted.gate.intercept);
        expect_probabilities(fitted.general.presence);
        expect_probabilities(fitted.general_share);
        for (const Component& own : fitted.domain) {
          expect_finite(own.weights);
          expect_probabilities(own.presence);
        }
        const MixturePredictor model(data.num_labels(), fitted);
        std::vector<double> p(data.num_labels());
        for (std::size_t n = 0; n < data.num_examples(); ++n) {
          model.predict(data.rows[n], data.domain[n], p);
          expect_finite(p);
        }
      }
    }
  }
}

TEST(MixtureExtremes, ADomainWithOneLabel) {
  Dataset data = random_problem(5);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.domain[n] == 1) data.label[n] = 0;
  }
  survives(data);
}

TEST(MixtureExtremes, OneLabelInAll) {
  Dataset data = random_problem(5);
  data.own_schema().labels = {};
  data.own_schema().labels.add("only");
  for (std::uint32_t& label : data.label) label = 0;
  survives(data);
}

TEST(MixtureExtremes, ADomainWithOneRow) {
  Dataset data = tiny_problem();
  for (std::size_t n = 0; n < data.num_examples(); ++n) data.domain[n] = n == 0 ? 1 : 0;
  survives(data);
}

TEST(MixtureExtremes, NoFeaturesAtAll) {
  Dataset data = tiny_problem();
  data.rows = {};
  data.rows.begin.assign(data.label.size() + 1, 0);
  survives(data);
}

// Features that are certain or impossible, without a prior to keep psi away from 0 and 1.
TEST(MixtureExtremes, FeaturesOfEveryRowAndOfNone) {
  MixtureOptions options;
  options.beta = {1, 1};
  Dataset data = tiny_problem();  // every row of domain 1 has feature 1, none feature 3
  survives(data, options);
  options.beta = {1, 3};
  survives(data, options);
}

TEST(MixtureExtremes, TinyAndHugeVariances) {
  for (const double variance : {1e-6, 1e6}) {
    MixtureOptions options;
    options.variance = variance;
    options.gate_variance = variance;
    survives(random_problem(6), options);
    options.variance = 1;
    options.specific_variance = variance;
    survives(random_problem(7), options);
  }
}

TEST(MixtureExtremes, SharesAlmostAtTheEnds) {
  MixtureOptions options;
  options.first_share = {1 - 1e-9, 1e-9};
  survives(random_problem(8), options);
}

// At the start every psi is 1/2, so log p(x) is about -1e5.
TEST(MixtureExtremes, HalfAMillionGateFeatures) {
  constexpr std::uint32_t kFeatures = 500'000, kRows = 12;
  Dataset data;
  for (std::uint32_t f = 0; f < kFeatures; ++f)
    data.own_schema().features.add(fmt::format("{}", f));
  for (const char* name : {"A", "B"})
    data.own_schema().labels.add(name), data.own_schema().domains.add(name);
  for (std::uint32_t n = 0; n < kRows; ++n) {
    const std::uint32_t domain = n % 2;
    std::vector<std::uint32_t> features;
    for (std::uint32_t f = domain * 1000; f < kFeatures; f += 1 + (f * 7 + n) % 60) {
      features.push_back(f);
    }
    add_row(data, features, n / 2 % 2, domain);
  }
  MixtureOptions options;
  options.rounds = 3;
  double last = -INFINITY;
  options.on_step = [&](const MixtureStep& step) {
    EXPECT_GE(step.objective, last - 1e-6 * std::abs(last)) << step.step;
    last = step.objective;
  };
  const Mixture fitted = fit_mixture(data, options, one_thread());
  expect_finite(fitted.gate.intercept);
  expect_probabilities(fitted.general_share);
  const MixturePredictor model(2, fitted);
  for (std::size_t n = 0; n < kRows; ++n) {
    EXPECT_TRUE(std::isfinite(*model.general(data.rows[n], data.domain[n])));
  }
}

// Rows of weight 0 have no effect. These are copies, so that no feature is new.
TEST(MixtureExtremes, RowsOfWeightZeroCountForNothing) {
  Dataset data = tiny_problem();
  const Mixture without = fit_mixture(data, exact_options(), one_thread());
  add_row(data, {0, 1, 2}, 1, 0, 0);
  add_row(data, {0, 1}, 0, 1, 0);
  const Mixture with = fit_mixture(data, exact_options(), one_thread());
  for (std::size_t i = 0; i < with.general.weights.size(); ++i) {
    EXPECT_NEAR(with.general.weights[i], without.general.weights[i], 1e-6);
    EXPECT_NEAR(with.domain[1].weights[i], without.domain[1].weights[i], 1e-6);
  }
  for (std::size_t f = 0; f < with.general.presence.size(); ++f) {
    EXPECT_NEAR(with.domain[0].presence[f], without.domain[0].presence[f], 1e-6);
  }
  EXPECT_NEAR(with.general_share[0], without.general_share[0], 1e-6);
}

// Every row is in both domains, so both have the same expert, share and gate.
TEST(MixtureExtremes, IdenticalDomains) {
  Dataset data = tiny_problem();
  for (std::uint32_t& domain : data.domain) domain = 0;
  const Dataset once = data;
  for (std::size_t n = 0; n < once.num_examples(); ++n) {
    const RowView row = once.rows[n];
    add_row(data, {row.features.begin(), row.features.end()}, once.label[n], 1,
            once.weight[n]);
  }
  const Mixture fitted = fit_mixture(data, exact_options(), one_thread());
  EXPECT_NEAR(fitted.general_share[0], fitted.general_share[1], 1e-9);
  for (std::size_t i = 0; i < fitted.general.weights.size(); ++i) {
    EXPECT_NEAR(fitted.domain[0].weights[i], fitted.domain[1].weights[i], 1e-6);
  }
  for (std::size_t f = 0; f < fitted.general.presence.size(); ++f) {
    EXPECT_NEAR(fitted.domain[0].presence[f], fitted.domain[1].presence[f], 1e-9);
  }
  survives(data);
}

std::string refusal(const Dataset& data, const MixtureOptions& options = {}) {
  try {
    fit_mixture(data, options, one_thread());
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fix: "));
    return error.what();
  }
  return "";
}

TEST(MixtureExtremes, ADomainWithoutRowsIsRefused) {
  Dataset data = tiny_problem();
  data.own_schema().domains.add("desert");
  EXPECT_THAT(refusal(data), HasSubstr("'desert'"));
  data = tiny_problem();
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.domain[n] == 1) data.weight[n] = 0;
  }
  EXPECT_THAT(refusal(data), HasSubstr("'d1' has no row with a weight"));
}

TEST(MixtureExtremes, ARowWithoutLabelIsRefused) {
  Dataset data = tiny_problem();
  data.label[2] = kNone;
  EXPECT_THAT(refusal(data), HasSubstr("no label"));
}

TEST(MixtureExtremes, SharesWithoutSenseAreRefused) {
  const auto refused = [](auto change) {
    MixtureOptions options;
    change(options);
    return refusal(tiny_problem(), options);
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  using Options = MixtureOptions;
  EXPECT_THAT(refused([](Options& o) { o.first_share = {0.5}; }), HasSubstr("shares"));
  EXPECT_THAT(refused([](Options& o) { o.first_share = {0.5, 1.5}; }), HasSubstr("share"));
  EXPECT_THAT(refused([](Options& o) { o.first_share = {kNan, 0.5}; }), HasSubstr("share"));
  EXPECT_THAT(refused([](Options& o) { o.first_share = {1, 0.5}; }), HasSubstr("share"));
}

// The error for a value that is not finite says where it occurred.
TEST(MixtureExtremes, NonFiniteValuesAreReportedWithTheirStep) {
  Dataset data = tiny_problem();
  data.rows.value.assign(data.rows.nonzeros(), std::numeric_limits<float>::quiet_NaN());
  const auto message = [&](const MixtureOptions& options) -> std::string {
    try {
      fit_mixture(data, options, one_thread());
    } catch (const NumericError& error) {
      return error.what();
    }
    return "";
  };
  MixtureOptions options;
  EXPECT_THAT(message(options), HasSubstr("round 1, step pi"));
  options.learn_share = false;
  EXPECT_THAT(message(options), HasSubstr("round 1, step lambda, component 'general'"));
}

}  // namespace
}  // namespace megadapt
