#include "dataset/folds.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "support/random_data.hpp"
#include "support/shares.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::random_data;

std::vector<std::size_t> sizes(const std::vector<std::uint32_t>& fold,
                               std::uint32_t folds) {
  std::vector<std::size_t> size(folds);
  for (const std::uint32_t f : fold) ++size[f];
  return size;
}

TEST(DealFolds, HaveAboutEqualSizes) {
  const Dataset data = random_data({.rows = 103}, 1);
  const auto fold = deal_folds(data, all_rows(data), 10, 5);
  for (const std::size_t size : sizes(fold, 10))
    EXPECT_THAT(size, testing::AnyOf(10u, 11u));
}

TEST(DealFolds, DependOnTheSeedAlone) {
  const Dataset data = random_data({.rows = 60}, 1);
  EXPECT_EQ(deal_folds(data, all_rows(data), 5, 1), deal_folds(data, all_rows(data), 5, 1));
  EXPECT_NE(deal_folds(data, all_rows(data), 5, 1), deal_folds(data, all_rows(data), 5, 2));
}

TEST(DealFolds, KeepGroupsTogether) {
  Dataset data = random_data({.rows = 90}, 1);
  for (int g = 0; g < 7; ++g) data.own_groups().add(fmt::format("doc{}", g));
  for (std::size_t n = 0; n < 90; ++n) {
    data.group.push_back(n % 10 == 0 ? kNone : static_cast<std::uint32_t>(n % 7));
  }
  const auto fold = deal_folds(data, all_rows(data), 3, 9);
  for (std::uint32_t g = 0; g < 7; ++g) {
    std::set<std::uint32_t> seen;
    for (std::size_t n = 0; n < 90; ++n) {
      if (data.group[n] == g) seen.insert(fold[n]);
    }
    EXPECT_EQ(seen.size(), 1u) << "group " << g;
  }
  const auto size = sizes(fold, 3);
  EXPECT_GT(*std::min_element(size.begin(), size.end()), 20u);
}

TEST(DealFolds, DoNotDependOnWhoHasTheRows) {
  Dataset data = random_data({.rows = 90}, 1);
  for (int g = 0; g < 7; ++g) data.own_groups().add(fmt::format("doc{}", g));
  for (std::size_t n = 0; n < 90; ++n) {
    data.group.push_back(n % 4 == 0 ? kNone : static_cast<std::uint32_t>(n * n % 7));
  }
  const auto whole = deal_folds(data, all_rows(data), 3, 9);
  for (const int count : {2, 3, 7}) {
    std::vector<std::uint32_t> fold(90, kNone);
    run_ranks(count, [&](Communicator& ranks) {
      const Dataset share = testing_support::uneven_share(data, ranks);
      const auto own = deal_folds(share, all_rows(share), 3, 9, ranks);
      const auto place = places_of(share);
      for (std::size_t i = 0; i < own.size(); ++i) fold[place[i]] = own[i];
    });
    EXPECT_EQ(fold, whole) << count;
  }
}

TEST(DealFolds, ARowOnTwoRanksIsRefused) {
  const Dataset data = random_data({.rows = 10}, 1);
  EXPECT_THROW(
      run_ranks(
          2, [&](Communicator& ranks) { deal_folds(data, all_rows(data), 3, 9, ranks); }),
      UsageError);
}

}  // namespace
}  // namespace megadapt
