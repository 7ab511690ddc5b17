#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dataset/select_rows.hpp"
#include "megadapt/comparison.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;
using testing_support::random_data;
using testing_support::RandomShape;

constexpr RandomShape kAlike = {.rows = 600, .features = 40, .domains = 2};

// Two domains that share no feature except the bias.
Dataset disjoint_domains() {
  Random random(4);
  Dataset data;
  data.own_schema().features.add("");
  for (std::uint32_t f = 0; f < 20; ++f)
    data.own_schema().features.add(fmt::format("f{}", f));
  for (const char* label : {"x", "y"}) data.own_schema().labels.add(label);
  for (const char* domain : {"a", "b"}) data.own_schema().domains.add(domain);
  for (std::uint32_t n = 0; n < 100; ++n) {
    const std::uint32_t domain = n % 2;
    const std::uint32_t first = 1 + 10 * domain;
    const std::uint32_t one = random.below(5), other = 5 + random.below(5);
    add_row(data, {0, first + one, first + other}, random.below(2), domain);
  }
  return data;
}

// The same rows in both domains.
Dataset identical_domains() {
  const Dataset data = random_data({.rows = 80, .features = 30}, 9);
  std::vector<std::size_t> twice;
  for (std::size_t n = 0; n < data.num_examples(); ++n) twice.insert(twice.end(), {n, n});
  Dataset doubled = select_rows(data, twice);
  doubled.own_schema().domains.add("twin");
  for (std::size_t n = 1; n < doubled.domain.size(); n += 2) doubled.domain[n] = 1;
  return doubled;
}

TEST(Relate, IdenticalDomainsCannotBeToldApart) {
  const Execution exec(1);
  const DomainPair pair = relate(identical_domains(), {}, exec).pairs[0];
  EXPECT_EQ(pair.kl_ab, 0);
  EXPECT_EQ(pair.kl_ba, 0);
  EXPECT_NEAR(pair.jensen_shannon, 0, 1e-12);
  EXPECT_NEAR(pair.auc.value(), 0.5, 0.02);
  for (const SeparatingFeature& feature : pair.features) {
    EXPECT_NEAR(feature.information, 0, 1e-12);
  }
}

TEST(Relate, RowsDealtAtRandomLookAlike) {
  const Execution exec(1);
  const DomainPair pair = relate(random_data(kAlike, 3), {}, exec).pairs[0];
  EXPECT_NEAR(pair.auc.value(), 0.5, 0.08);
  EXPECT_LT(pair.jensen_shannon, 0.02);
}

TEST(Relate, DisjointDomainsAreToldApart) {
  const Execution exec(1);
  const Relatedness how = relate(disjoint_domains(), {.top = 3}, exec);
  const DomainPair& pair = how.pair(1, 0);
  EXPECT_EQ(pair.auc.value(), 1);
  EXPECT_EQ(pair.jensen_shannon, 1);
  EXPECT_GT(pair.kl_ab, 2);
  ASSERT_EQ(pair.features.size(), 3u);
  EXPECT_GE(pair.features[0].information, pair.features[2].information);
  EXPECT_TRUE(pair.features[0].share_a == 0 || pair.features[0].share_b == 0);
  EXPECT_EQ(how.domains[0].examples, 50u);
  EXPECT_EQ(how.domains[1].features, 10u);
  ASSERT_TRUE(how.domains[0].general_share.has_value());
  EXPECT_GT(*how.domains[0].general_share, 0);
  EXPECT_LT(*how.domains[0].general_share, 1);
}

TEST(Relate, KlIsOfTheRequestedDirection) {
  const Execution exec(1);
  const Relatedness how = relate(random_data({.rows = 90, .domains = 3}, 5), {}, exec);
  EXPECT_EQ(how.pairs.size(), 3u);
  EXPECT_EQ(how.kl(0, 2), how.pair(0, 2).kl_ab);
  EXPECT_EQ(how.kl(2, 0), how.pair(2, 0).kl_ba);
  EXPECT_EQ(how.kl(1, 1), 0);
}

TEST(Relate, AThirdDomainChangesNothingBetweenTwo) {
  const Execution exec(1);
  const Dataset three = random_data({.rows = 150, .features = 20, .domains = 3}, 6);
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < three.num_examples(); ++n) {
    if (three.domain[n] != 2) rows.push_back(n);
  }
  Dataset two = select_rows(three, rows);
  two.own_schema().domains = {};
  two.own_schema().domains.add("d0");
  two.own_schema().domains.add("d1");
  const DomainPair in_three = relate(three, {}, exec).pair(0, 1);
  const DomainPair in_two = relate(two, {}, exec).pair(0, 1);
  EXPECT_EQ(in_three.kl_ab, in_two.kl_ab);
  EXPECT_EQ(in_three.jensen_shannon, in_two.jensen_shannon);
  EXPECT_EQ(in_three.auc, in_two.auc);
}

TEST(Relate, ThreadsDoNotChangeTheAnswer) {
  const Dataset data = random_data(kAlike, 3);
  const Relatedness one = relate(data, {}, Execution(1));
  const Relatedness four = relate(data, {}, Execution(4));
  EXPECT_EQ(one.pairs[0].auc, four.pairs[0].auc);
  EXPECT_EQ(one.domains[0].general_share, four.domains[0].general_share);
}

TEST(Relate, TinyDomainsHaveNoAuc) {
  Dataset data = random_data({.rows = 20, .features = 6, .domains = 1}, 1);
  data.own_schema().domains.add("tiny");
  data.domain[3] = 1;
  const Relatedness how = relate(data, {}, Execution(1));
  EXPECT_FALSE(how.pairs[0].auc.has_value());
  EXPECT_GE(how.pairs[0].kl_ab, 0);
}

TEST(Relate, OneLabelLeavesPiOut) {
  const Dataset data = random_data({.rows = 40, .labels = 1, .domains = 2}, 1);
  EXPECT_FALSE(relate(data, {}, Execution(1)).domains[0].general_share.has_value());
}

TEST(Relate, RefusesWhatMakesNoSense) {
  const Execution exec(1);
  EXPECT_THROW(relate(random_data({}, 1), {}, exec), UsageError);
  const Dataset data = random_data({.domains = 2}, 1);
  EXPECT_THROW(relate(data, {.smoothing = 0}, exec), UsageError);
  EXPECT_THROW(relate(data, {.folds = 1}, exec), UsageError);
  Dataset empty = random_data({.domains = 2}, 1);
  empty.own_schema().domains.add("empty");
  EXPECT_THROW(relate(empty, {}, exec), UsageError);
}

}  // namespace
}  // namespace megadapt
