// Rows whose label is uncertain: the same problem as rows repeated with each of their labels.
#include <gmock/gmock.h>

#include <cmath>

#include "optimize/information_prior.hpp"
#include "optimize/maxent.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::Pointwise;
using testing_support::all_rows;
using testing_support::random_data;

const MaxentOptions kExact{.precision = Precision::double_, .tolerance = 1e-13};

// Makes every third row uncertain.
Dataset softened(const Dataset& data) {
  Dataset soft;
  soft.schema = data.schema;
  RowBuilder rows(soft);
  Random random(3);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    std::vector<LabelShare> shares;
    if (n % 3 == 0) {
      const auto share = static_cast<float>(0.5 + 0.4 * random.uniform());
      const std::uint32_t other = (data.label[n] + 1) % data.num_labels();
      shares = {{data.label[n], share}, {other, 1 - share}};
    }
    rows.add(data.rows[n]);
    rows.end({.label = data.label[n],
              .shares = shares,
              .domain = data.domain[n],
              .weight = data.weight[n]});
  }
  return soft;
}

// One copy of a row for each of its labels, with the weight of the label's share.
Dataset repeated(const Dataset& soft) {
  Dataset copies;
  copies.schema = soft.schema;
  RowBuilder rows(copies);
  for (std::size_t n = 0; n < soft.num_examples(); ++n) {
    soft.for_each_label(n, [&](std::uint32_t y, double share) {
      rows.add(soft.rows[n]);
      rows.end({.label = y,
                .domain = soft.domain[n],
                .weight = static_cast<float>(share * static_cast<double>(soft.weight[n]))});
    });
  }
  return copies;
}

class SoftLabelsTest : public testing::TestWithParam<std::uint32_t> {
 protected:
  Execution exec_{2};
  Dataset soft_ = softened(
      random_data({.rows = 200, .labels = GetParam(), .values = true, .weights = true}, 5));
  Dataset copies_ = repeated(soft_);
};

INSTANTIATE_TEST_SUITE_P(Labels, SoftLabelsTest, testing::Values(2, 3, 7, 41));

TEST_P(SoftLabelsTest, AFitIsThatOfRepeatedRows) {
  ASSERT_FALSE(soft_.soft.empty());
  const MaxentProblem soft(soft_, all_rows(soft_), exec_);
  const MaxentProblem copies(copies_, all_rows(copies_), exec_);
  const MaxentFit a = soft.fit({}, kExact, exec_), b = copies.fit({}, kExact, exec_);
  EXPECT_NEAR(a.objective, b.objective, 1e-6 * b.objective);  // weights are float
  EXPECT_THAT(a.weights, Pointwise(DoubleNear(1e-5), b.weights));
}

TEST_P(SoftLabelsTest, TheLikelihoodIsTheMeanOverLabels) {
  const MaxentProblem soft(soft_, all_rows(soft_), exec_);
  const MaxentFit fit = soft.fit({}, kExact, exec_);
  const auto of_rows = soft.log_likelihood(fit.weights, Precision::double_, exec_);
  const MaxentProblem copies(copies_, all_rows(copies_), exec_);
  const auto of_copies = copies.log_likelihood(fit.weights, Precision::double_, exec_);
  std::size_t copy = 0;
  for (std::size_t n = 0; n < soft_.num_examples(); ++n) {
    double mean = 0;
    soft_.for_each_label(
        n, [&](std::uint32_t, double share) { mean += share * of_copies[copy++]; });
    ASSERT_NEAR(of_rows[n], mean, 1e-6);
  }
}

TEST_P(SoftLabelsTest, TheInformationIsThatOfRepeatedRows) {
  Communicator& ranks = serial_communicator();
  EXPECT_THAT(information_factor(soft_, all_rows(soft_), {}, 0.3, ranks),
              Pointwise(DoubleNear(1e-5),
                        information_factor(copies_, all_rows(copies_), {}, 0.3, ranks)));
}

// The gradient w (p - q) of a row, seen through the shift of its own scores.
TEST_P(SoftLabelsTest, LeaveOneOutFollowsTheShares) {
  const MaxentProblem soft(soft_, all_rows(soft_), exec_);
  const MaxentFit fit = soft.fit({}, kExact, exec_);
  const auto without = soft.leave_one_out(fit.weights, {}, 1, exec_);
  const auto with = soft.log_likelihood(fit.weights, Precision::double_, exec_);
  double sum = 0;
  for (std::size_t n = 0; n < with.size(); ++n) {
    EXPECT_TRUE(std::isfinite(without.log_likelihood[n]));
    sum += with[n] - without.log_likelihood[n];
  }
  EXPECT_GT(sum, 0);  // rows are predicted worse without themselves
}

TEST(SoftLabels, AllMassOnOneLabelIsThatLabel) {
  const Dataset hard = random_data({.rows = 50, .labels = 3}, 4);
  Dataset soft;
  soft.schema = hard.schema;
  RowBuilder rows(soft);
  for (std::size_t n = 0; n < hard.num_examples(); ++n) {
    const LabelShare all{hard.label[n], 1};
    rows.add(hard.rows[n]);
    rows.end({.shares = {&all, 1}, .domain = hard.domain[n]});
  }
  EXPECT_TRUE(soft.soft.empty());
  const Execution exec(2);
  EXPECT_EQ(MaxentProblem(soft, all_rows(soft), exec).fit({}, {}, exec).weights,
            MaxentProblem(hard, all_rows(hard), exec).fit({}, {}, exec).weights);
}

}  // namespace
}  // namespace megadapt
