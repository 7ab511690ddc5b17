// Which rows the information prior of each system counts (docs/derivation.md §7).
#include <gmock/gmock.h>

#include "mega/mixture_problems.hpp"
#include "optimize/information_prior.hpp"
#include "support/plain_fit.hpp"
#include "support/planted_domains.hpp"
#include "systems/feature_copies.hpp"
#include "systems/fit_memory.hpp"

namespace megadapt {
namespace {

using testing_support::holds;
using testing_support::most_apart;
using testing_support::plain_fit;
using testing_support::planted_domains;
using testing_support::random_problem;

constexpr double kExponent = 0.6;

Options exact_exponent() {
  Options options;
  options.prior_exponent = kExponent;
  options.tolerance = 1e-14;
  options.precision = Precision::double_;
  return options;
}

std::vector<std::size_t> rows_outside(const Dataset& data, std::uint32_t target) {
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.domain[n] != target) rows.push_back(n);
  }
  return rows;
}

std::vector<double> factor_of(const Dataset& data, std::span<const std::size_t> rows,
                              std::span<const double> row_weight = {}) {
  return information_factor(data, rows, row_weight, kExponent, serial_communicator());
}

/// The scores of a linear model, as MaxentPredictor rounds its weights.
std::vector<double> predicted(const Predictor& predictor, const Dataset& data) {
  std::vector<double> all, p(data.num_labels());
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    predictor.predict(data.rows[n], 1, p);
    all.insert(all.end(), p.begin(), p.end());
  }
  return all;
}

double apart(const char* system, const Options& options, const Dataset& data,
             const std::vector<double>& weights) {
  const Execution exec(1);
  const auto fitted = find_system(system).fit(data, 1, options, {exec});
  return most_apart(predicted(*fitted, data),
                    predicted(MaxentPredictor(data.num_labels(), weights), data));
}

TEST(PriorExponent, CountsTheRowsOfTheFit) {
  EXPECT_TRUE(holds(10, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 2 + seed % 2);
    const Options options = exact_exponent();
    const auto fit = [&](std::span<const std::size_t> rows, const auto& mean) {
      const auto factor = factor_of(data, rows);
      return plain_fit(data, rows, 1, mean, factor);
    };
    const std::vector<double> zero;
    const auto own = data.rows_of(1), others = rows_outside(data, 1);
    RC_ASSERT(apart("mix", options, data, fit(all_rows(data), zero)) < 1e-5);
    RC_ASSERT(apart("onlyi", options, data, fit(own, zero)) < 1e-5);
    const auto source = fit(others, zero);
    RC_ASSERT(apart("onlyo", options, data, source) < 1e-5);
    // The deviation from the source counts the target's rows.
    RC_ASSERT(apart("prior", options, data, fit(own, source)) < 1e-5);
  }));
}

TEST(PriorExponent, CountsRowsByTheirWeightInTheFit) {
  const Dataset data = planted_domains(80, 40, 1);
  Options options = exact_exponent();
  options.out_weight = 0.25;
  std::vector<double> weight(data.weight.begin(), data.weight.end());
  for (const std::size_t n : data.rows_of(0)) weight[n] = 0.25;
  const auto factor = factor_of(data, all_rows(data), weight);
  MaxentOptions maxent;
  maxent.prior = {1, {}, factor};
  maxent.tolerance = 1e-14;
  maxent.precision = Precision::double_;
  const Execution exec(1);
  const auto fit = MaxentProblem(data, all_rows(data), exec).fit(weight, maxent, exec);
  EXPECT_LT(apart("mixw", options, data, fit.weights), 1e-5);
}

TEST(PriorExponent, OfOneDomainMegamIsMix) {
  Dataset data = planted_domains(0, 60, 3);
  NameIndex one;
  one.add("in");
  data.own_schema().domains = one;
  std::fill(data.domain.begin(), data.domain.end(), 0);
  const Execution exec(1);
  const Options options = exact_exponent();
  const auto mix = find_system("mix").fit(data, 0, options, {exec});
  const auto mega = find_system("megam").fit(data, 0, options, {exec});
  std::vector<double> p(3), q(3);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    mix->predict(data.rows[n], 0, p);
    mega->predict(data.rows[n], 0, q);
    EXPECT_LT(most_apart(p, q), 1e-6);
  }
}

// No system counts labels of rows that it is not trained on, and a system that is trained
// on the target alone counts no label of the source.
TEST(PriorExponent, LabelsOfOtherRowsDoNotMatter) {
  const Dataset data = planted_domains(80, 40, 1);
  Dataset other = data;
  for (const std::size_t n : data.rows_of(0)) other.label[n] = (data.label[n] + 1) % 3;
  const Execution exec(1);
  const auto fit = [&](const Dataset& rows) {
    return predicted(*find_system("onlyi").fit(rows, 1, exact_exponent(), {exec}), rows);
  };
  EXPECT_EQ(fit(data), fit(other));
}

// Source fits of several exponents share one cache.
TEST(PriorExponent, CachedSourceModelsAreOfTheSameExponent) {
  const Dataset data = planted_domains(80, 40, 1);
  const Execution exec(1);
  FitContext shared{.exec = exec};
  shared.source_fits = std::make_shared<SourceFits>();
  for (const char* system : {"onlyo", "lini", "feats", "prior"}) {
    for (const double exponent : {0.0, 0.3, 0.6}) {
      Options options;
      options.prior_exponent = exponent;
      EXPECT_EQ(predicted(*find_system(system).fit(data, 1, options, shared), data),
                predicted(*find_system(system).fit(data, 1, options, {exec}), data))
          << system << " " << exponent;
    }
  }
}

/// The gradient of EasyAdapt's objective, summed literally.
std::vector<double> copies_gradient(const Dataset& data,
                                    const std::vector<std::uint32_t>& domains,
                                    const Options& options,
                                    const std::vector<double>& weights) {
  const std::size_t F = data.num_features(), Y = data.num_labels(), size = F * Y;
  std::vector<double> gradient(weights.size());
  const auto add_prior = [&](std::size_t copy, std::span<const std::size_t> rows,
                             double variance) {
    const std::vector<double> factor = factor_of(data, rows);
    for (std::size_t i = 0; i < size; ++i) {
      gradient[copy * size + i] += factor[i / Y] * weights[copy * size + i] / variance;
    }
  };
  add_prior(0, all_rows(data), options.variance);
  for (std::size_t c = 0; c < domains.size(); ++c) {
    add_prior(1 + c, data.rows_of(domains[c]), *options.specific_variance);
  }
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    std::vector<std::size_t> copies{0};
    for (std::size_t c = 0; c < domains.size(); ++c) {
      if (domains[c] == data.domain[n]) copies.push_back(1 + c);
    }
    const RowView row = data.rows[n];
    const auto x = [&](std::size_t i) {
      return row.values.empty() ? 1.0 : static_cast<double>(row.values[i]);
    };
    std::vector<double> p(Y);
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      for (const std::size_t c : copies) {
        for (std::size_t y = 0; y < Y; ++y) {
          p[y] += x(i) * weights[c * size + row.features[i] * Y + y];
        }
      }
    }
    double sum = 0;
    for (double& score : p) sum += score = std::exp(score);
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      for (const std::size_t c : copies) {
        for (std::size_t y = 0; y < Y; ++y) {
          gradient[c * size + row.features[i] * Y + y] +=
              static_cast<double>(data.weight[n]) * x(i) *
              (p[y] / sum - (y == data.label[n] ? 1 : 0));
        }
      }
    }
  }
  return gradient;
}

// Shared copies count all rows, a domain's copies its own rows.
TEST(PriorExponent, CopiesAreAtTheMinimum) {
  EXPECT_TRUE(holds(10, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed, 3);
    Options options = exact_exponent();
    options.variance = 0.7;
    options.specific_variance = 0.2;
    const Execution exec(1);
    const std::vector<double> row_weight(data.weight.begin(), data.weight.end());
    for (const std::vector<std::uint32_t>& domains :
         {std::vector<std::uint32_t>{0, 1, 2}, std::vector<std::uint32_t>{1}}) {
      const FeatureCopies copies(data, domains, options, exec);
      const auto weights = copies.fit(row_weight, {}, 1e-14, {exec});
      const auto gradient = copies_gradient(data, domains, options, weights);
      const std::vector<double> zero(gradient.size());
      RC_ASSERT(most_apart(gradient, zero) < 1e-4);
      RC_ASSERT(most_apart(copies.fit(row_weight, weights, 1e-14, {exec}), weights) < 1e-5);
    }
  }));
}

}  // namespace
}  // namespace megadapt
