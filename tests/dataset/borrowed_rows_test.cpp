#include <gmock/gmock.h>

#include "megadapt/training.hpp"
#include "optimize/maxent.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing_support::all_rows;
using testing_support::random_data;

/// Arrays of a caller: two rows, the first with features 1 and 4, the second empty.
template <class Index, class Value>
struct TwoRows {
  std::vector<Index> begin{0, 2, 2};
  std::vector<Index> feature{1, 4};
  std::vector<Value> value;

  SparseRows rows(std::uint32_t bias) const {
    SparseRows result;
    result.borrowed = {.begin = std::span(begin),
                       .feature = std::span(feature),
                       .value = std::span(value),
                       .bias = bias};
    return result;
  }
};

template <class Index, class Value>
void expect_in_place(std::vector<Value> value) {
  const TwoRows<Index, Value> arrays{.value = value};
  const SparseRows plain = arrays.rows(kNone);
  EXPECT_EQ(plain.size(), 2u);
  EXPECT_EQ(plain.nonzeros(), 2u);
  EXPECT_TRUE(plain.has_values());
  EXPECT_THAT(plain[0].features, ElementsAre(1, 4));
  EXPECT_THAT(plain[0].values,
              ElementsAreArray(std::vector<float>(value.begin(), value.end())));
  EXPECT_THAT(plain[1].features, IsEmpty());

  const SparseRows biased = arrays.rows(5);
  EXPECT_EQ(biased.nonzeros(), 4u);
  EXPECT_THAT(biased[0].features, ElementsAre(1, 4, 5));
  EXPECT_FLOAT_EQ(biased[0].values[2], 1);
  EXPECT_THAT(biased[1].features, ElementsAre(5));

  const SparseRows bias_first = arrays.rows(0);  // as in rows read from a file
  EXPECT_EQ(bias_first.nonzeros(), 4u);
  EXPECT_THAT(bias_first[0].features, ElementsAre(0, 2, 5));
  EXPECT_FLOAT_EQ(bias_first[0].values[0], 1);
  EXPECT_FLOAT_EQ(bias_first[0].values[2], static_cast<float>(value[1]));
  EXPECT_THAT(bias_first[1].features, ElementsAre(0));
}

TEST(BorrowedRows, AreReadInTheCallersNumberTypes) {
  expect_in_place<std::int32_t, float>({0.5, 2});
  expect_in_place<std::int64_t, double>({0.5, 2});
  expect_in_place<std::int32_t, std::int32_t>({3, 2});
  expect_in_place<std::int64_t, std::int64_t>({3, 2});
}

TEST(BorrowedRows, WithoutValuesAreBinary) {
  const std::vector<std::int32_t> begin{0, 1}, feature{7};
  SparseRows rows;
  rows.borrowed = {.begin = std::span(begin), .feature = std::span(feature), .value = {}};
  EXPECT_FALSE(rows.has_values());
  EXPECT_THAT(rows[0].features, ElementsAre(7));
  EXPECT_THAT(rows[0].values, IsEmpty());
}

TEST(BorrowedRows, TrainTheSameModelAsOwnedOnes) {
  const Dataset owned = random_data({.rows = 200}, 3);
  Dataset lent = owned;
  lent.rows = {};
  const std::vector<std::int64_t> begin(owned.rows.begin.begin(), owned.rows.begin.end());
  const std::vector<std::int64_t> feature(owned.rows.feature.begin(),
                                          owned.rows.feature.end());
  const std::vector<float> value = owned.rows.value;
  lent.rows.borrowed = {
      .begin = std::span(begin), .feature = std::span(feature), .value = {}};
  if (!value.empty()) lent.rows.borrowed->value = std::span(value);
  const Execution exec(1);
  const auto weights = [&](const Dataset& data) {
    return MaxentProblem(data, all_rows(data), exec).fit({}, {}, exec).weights;
  };
  EXPECT_EQ(weights(lent), weights(owned));
}

}  // namespace
}  // namespace megadapt
