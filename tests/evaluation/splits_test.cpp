#include <gmock/gmock.h>

#include <set>

#include "megadapt/comparison.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing_support::planted_domains;

class SplitsTest : public testing::Test {
 protected:
  // The target has groups of one to four rows; the source has no groups.
  static Dataset grouped() {
    Dataset data = planted_domains(10, 40, 3);
    data.group.assign(50, kNone);
    std::uint32_t group = 0;
    for (std::size_t n = 10; n < 50; ++group) {
      data.own_groups().add(fmt::format("doc{}", group));
      for (std::uint32_t i = 0; i <= group % 4 && n < 50; ++i) data.group[n++] = group;
    }
    return data;
  }
  static void expect_whole(const Dataset& data, const Split& split) {
    std::set<std::size_t> all(split.train.begin(), split.train.end());
    all.insert(split.held_out.begin(), split.held_out.end());
    EXPECT_EQ(all.size(), data.num_examples());
    EXPECT_EQ(split.train.size() + split.held_out.size(), data.num_examples());
    for (const std::size_t n : split.held_out) EXPECT_EQ(data.domain[n], 1u);
    std::set<std::uint32_t> groups;
    for (const std::size_t n : split.train) {
      if (data.group[n] != kNone) groups.insert(data.group[n]);
    }
    for (const std::size_t n : split.held_out) EXPECT_FALSE(groups.contains(data.group[n]));
  }
};

TEST_F(SplitsTest, FoldsHoldEveryTargetRowOutOnceAndKeepGroupsTogether) {
  const Dataset data = grouped();
  std::vector<int> held(50);
  for (const Split& split : target_folds(data, 1, 5, 1)) {
    expect_whole(data, split);
    for (const std::size_t n : split.held_out) ++held[n];
  }
  for (std::size_t n = 0; n < 50; ++n) EXPECT_EQ(held[n], n < 10 ? 0 : 1);
}

TEST_F(SplitsTest, AShareIsHeldOutInWholeGroups) {
  const Dataset data = grouped();
  for (const double fraction : {0.1, 0.2, 0.5, 0.9}) {
    const Split split = target_split(data, 1, fraction, 1);
    expect_whole(data, split);
    EXPECT_NEAR(static_cast<double>(split.held_out.size()), 40 * fraction, 4) << fraction;
  }
  EXPECT_THROW(target_split(data, 1, 1, 1), UsageError);
  EXPECT_THROW(target_split(data, 1, 0, 1), UsageError);
}

TEST_F(SplitsTest, FewRowsGiveFewerFolds) {
  EXPECT_EQ(target_folds(planted_domains(5, 3, 1), 1, 5, 1).size(), 3u);
  EXPECT_EQ(target_folds(planted_domains(5, 2, 1), 1, 5, 1).size(), 2u);
  EXPECT_THROW(target_folds(planted_domains(5, 1, 1), 1, 5, 1), UsageError);
  EXPECT_EQ(target_split(planted_domains(5, 2, 1), 1, 0.2, 1).held_out.size(), 1u);
}

TEST_F(SplitsTest, TheSeedDecides) {
  const Dataset data = grouped();
  EXPECT_EQ(target_split(data, 1, 0.2, 1).held_out, target_split(data, 1, 0.2, 1).held_out);
  EXPECT_NE(target_split(data, 1, 0.2, 1).held_out, target_split(data, 1, 0.2, 2).held_out);
}

TEST_F(SplitsTest, DuplicatesAcrossSplitsAreCounted) {
  Dataset data;
  for (const char* name : {"a", "b", "c"}) data.own_schema().features.add(name);
  data.own_schema().labels.add("x");
  data.own_schema().labels.add("y");
  data.own_schema().domains.add("out");
  data.own_schema().domains.add("in");
  using testing_support::add_row;
  add_row(data, {0, 1}, 0, 0);
  add_row(data, {0, 1}, 0, 1);  // like the source's row, which does not count
  add_row(data, {0, 2}, 0, 1);
  add_row(data, {2, 0}, 0, 1);  // like the previous row, in another order
  add_row(data, {2, 0}, 1, 1);  // another label
  const std::vector<Split> apart{{{0, 1, 2}, {3, 4}}};
  EXPECT_EQ(count_duplicates(data, 1, apart), 1u);
  const std::vector<Split> folds{{{0, 1, 2}, {3, 4}}, {{0, 3, 4}, {1, 2}}};
  EXPECT_EQ(count_duplicates(data, 1, folds), 2u);
  EXPECT_EQ(count_duplicates(data, 1, data), 5u);
}

}  // namespace
}  // namespace megadapt
