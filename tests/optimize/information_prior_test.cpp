#include "optimize/information_prior.hpp"

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

// A tighter prior on a weight acts like a smaller value of its feature: with
// x_f / sqrt(k_f) the weights are sqrt(k_f) times as large.
TEST(InformationPrior, IsAScaleOfTheFeatures) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    const std::size_t Y = data.num_labels();
    Random random(seed);
    std::vector<double> factor;
    for (std::size_t f = 0; f < data.num_features(); ++f) {
      factor.push_back(0.1 + 5 * random.uniform());
    }
    Dataset scaled = data;
    scaled.rows.value.clear();
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      const RowView row = data.rows[n];
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        const float value = row.values.empty() ? 1 : row.values[i];
        scaled.rows.value.push_back(value /
                                    static_cast<float>(std::sqrt(factor[row.features[i]])));
      }
    }
    const auto plain = plain_fit(scaled, all_rows(scaled), 0.7);
    auto fit = plain_fit(data, all_rows(data), 0.7, {}, factor);
    for (std::size_t i = 0; i < fit.size(); ++i) fit[i] *= std::sqrt(factor[i / Y]);
    RC_ASSERT(most_apart(fit, plain) < kSameWeights);
  }));
}

// Frequent features with mixed labels get the tightest prior. The mean of the variances
// over non-zeros stays the same.
TEST(InformationPrior, IsTightestForFrequentFeaturesWithMixedLabels) {
  Dataset data;
  for (const char* name : {"mixed", "pure", "rare"}) data.own_schema().features.add(name);
  for (const char* name : {"a", "b"}) data.own_schema().labels.add(name);
  for (const char* name : {"out", "in"}) data.own_schema().domains.add(name);
  for (std::uint32_t n = 0; n < 40; ++n) {
    testing_support::add_row(data, {n % 2}, n % 2 == 0 ? n / 2 % 2 : 0, n / 20);
  }
  testing_support::add_row(data, {2}, 0, 1);
  testing_support::add_row(data, {2}, 1, 1);
  const std::vector<double> weight(data.weight.begin(), data.weight.end());
  // The features are in 20, 20 and 2 rows, and their 1 + I is 11, 1 and 2.
  const double scale = (20.0 / 11 + 20.0 + 2.0 / 2) / 42;
  EXPECT_THAT(information_factor(data, all_rows(data), weight, 1, serial_communicator()),
              testing::Pointwise(testing::DoubleNear(1e-12),
                                 std::vector<double>{11 * scale, scale, 2 * scale}));
  EXPECT_THAT(information_factor(data, all_rows(data), weight, 0, serial_communicator()),
              testing::IsEmpty());
}

// A row of weight 0 counts as little as a row that is not there.
TEST(InformationPrior, CountsTheGivenRowsAlone) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    const auto own = data.rows_of(1);
    const auto factor = information_factor(data, own, {}, 0.6, serial_communicator());
    std::vector<double> weight(data.weight.begin(), data.weight.end());
    for (const std::size_t n : data.rows_of(0)) weight[n] = 0;
    RC_ASSERT(factor ==
              information_factor(data, all_rows(data), weight, 0.6, serial_communicator()));
    Dataset relabelled = data;
    for (const std::size_t n : data.rows_of(0)) relabelled.label[n] = 0;
    RC_ASSERT(factor ==
              information_factor(relabelled, own, {}, 0.6, serial_communicator()));
  }));
}

}  // namespace
}  // namespace megadapt
