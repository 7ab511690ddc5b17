// Evidence by cross-fitting: predictions of experts that have seen neither the row nor any
// row of its group.
#include <gmock/gmock.h>

#include "dataset/folds.hpp"
#include "mega/experts.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::exact_options;

// Two domains whose rows come in groups of three.
Dataset grouped_data() {
  Dataset data =
      testing_support::random_data({.rows = 48, .features = 8, .domains = 2}, 12);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    data.group.push_back(data.own_groups().add(fmt::format("{}-{}", n % 2, n / 6)));
  }
  return data;
}

class CrossFit : public testing::TestWithParam<Centre> {
 protected:
  CrossFit() {
    options_ = exact_options();
    options_.e_step = EStep::cross_fit;
    options_.folds = 4;
    options_.specific_variance = 0.5;
    options_.centre = GetParam();
  }

  Shares shares(const Dataset& data) const {
    Random random(6);
    Shares result;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      result.general.push_back(random.uniform());
      result.specific.push_back(1 - result.general[n]);
    }
    return result;
  }

  /// General and specific evidence of every row, one after the other.
  std::vector<double> evidence(const Dataset& data, const Shares& given) const {
    const Execution exec(1);
    Mixture mixture;
    mixture.general.weights.resize(std::size_t{data.num_features()} * data.num_labels());
    mixture.domain.assign(data.num_domains(), mixture.general);
    Experts experts(data, options_, exec);
    experts.refit(given, 1e-14, 1, mixture);
    std::vector<double> result(experts.general_evidence().begin(),
                               experts.general_evidence().end());
    const auto specific = experts.specific_evidence();
    result.insert(result.end(), specific.begin(), specific.end());
    return result;
  }

  MixtureOptions options_;
};

// Two fits of one problem from different starts agree to the root of the tolerance.
constexpr double kSameFit = 1e-6;

TEST_P(CrossFit, EvidenceIsThatOfAFitWithoutTheFold) {
  const Dataset data = grouped_data();
  const std::size_t N = data.num_examples();
  const Execution exec(1);
  const Shares given = shares(data);
  const auto found = evidence(data, given);
  MaxentOptions maxent;
  maxent.precision = Precision::double_;
  maxent.tolerance = 1e-14;
  for (std::uint32_t d = 0; d < 2; ++d) {
    const auto rows = data.rows_of(d);
    const auto folds = deal_folds(data, rows, 4, options_.seed + d);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // Folds are dealt per domain; each refit leaves out fold k of all domains.
      Shares kept = given;
      for (std::uint32_t other = 0; other < 2; ++other) {
        const auto others = data.rows_of(other);
        const auto dealt = deal_folds(data, others, 4, options_.seed + other);
        for (std::size_t j = 0; j < others.size(); ++j) {
          if (dealt[j] == folds[i]) kept.general[others[j]] = kept.specific[others[j]] = 0;
        }
      }
      std::vector<double> own;
      for (const std::size_t n : rows) own.push_back(kept.specific[n]);
      const MaxentProblem general(data, all_rows(data), exec), specific(data, rows, exec);
      maxent.prior = {options_.variance, {}};
      const auto g = general.fit(kept.general, maxent, exec);
      maxent.prior = {options_.specific_variance, {}};
      if (GetParam() == Centre::general) maxent.prior.mean = g.weights;
      const auto s = specific.fit(own, maxent, exec);
      EXPECT_NEAR(found[rows[i]],
                  general.log_likelihood(g.weights, Precision::double_, exec)[rows[i]],
                  kSameFit);
      EXPECT_NEAR(found[N + rows[i]],
                  specific.log_likelihood(s.weights, Precision::double_, exec)[i],
                  kSameFit);
    }
  }
}

TEST_P(CrossFit, EvidenceIgnoresTheRowsOfItsGroup) {
  const Dataset data = grouped_data();
  const std::size_t N = data.num_examples();
  const Shares given = shares(data);
  const auto before = evidence(data, given);
  for (const std::size_t n : {0u, 7u, 20u}) {
    Dataset changed = data;
    Shares heavier = given;
    for (std::size_t m = 0; m < N; ++m) {
      if (data.group[m] != data.group[n]) continue;
      heavier.general[m] *= 2;
      heavier.specific[m] *= 3;
      if (m != n) changed.label[m] = (data.label[m] + 1) % data.num_labels();
    }
    const auto after = evidence(changed, heavier);
    EXPECT_NEAR(after[n], before[n], kSameFit);
    EXPECT_NEAR(after[N + n], before[N + n], kSameFit);
    double elsewhere = 0;  // rows of other folds do change
    for (std::size_t m = 0; m < N; ++m) {
      if (data.group[m] == data.group[n]) continue;
      elsewhere = std::max(elsewhere, std::abs(after[m] - before[m]));
    }
    EXPECT_GT(elsewhere, 0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(Centres, CrossFit, testing::Values(Centre::zero, Centre::general));

}  // namespace
}  // namespace megadapt
