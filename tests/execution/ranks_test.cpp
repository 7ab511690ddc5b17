// Ranks that are threads: checks the promises of Communicator that training relies on.
#include <gmock/gmock.h>

#include "base/random.hpp"
#include "execution/collectives.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

class RanksTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Counts, RanksTest, testing::Values(1, 2, 3, 7));

TEST_P(RanksTest, EveryRankGetsTheSameSum) {
  const int count = GetParam();
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(count));
  run_ranks(count, [&](Communicator& ranks) {
    Random random(static_cast<std::uint64_t>(ranks.rank()));
    std::vector<double> values(100);
    for (double& value : values) value = random.uniform();
    values[0] = ranks.rank();
    ranks.sum(values);
    ranks.sum(std::span<double>());  // an empty sum is allowed
    sums[static_cast<std::size_t>(ranks.rank())] = values;
  });
  EXPECT_EQ(sums[0][0], count * (count - 1) / 2);
  for (const auto& sum : sums) EXPECT_EQ(sum, sums[0]);
}

TEST_P(RanksTest, MessagesArriveInOrder) {
  const int count = GetParam();
  run_ranks(count, [&](Communicator& ranks) {
    const std::string own = "from " + std::to_string(ranks.rank());
    const auto all = gather(ranks, own);
    EXPECT_EQ(all.size(), ranks.rank() == 0 ? static_cast<std::size_t>(count) : 0u);
    if (ranks.rank() == 0) {
      EXPECT_EQ(all.back(), "from " + std::to_string(count - 1));
    }
    EXPECT_EQ(broadcast(ranks, own), "from 0");
    EXPECT_EQ(broadcast(ranks, own + " again"), "from 0 again");
  });
}

TEST_P(RanksTest, OneThatFailsStopsTheOthers) {
  const int last = GetParam() - 1;
  EXPECT_THROW(run_ranks(GetParam(),
                         [&](Communicator& ranks) {
                           if (ranks.rank() == last) throw UsageError("no luck");
                           double value = 1;
                           ranks.sum({&value, 1});
                           ranks.receive(last);
                         }),
               UsageError);
}

}  // namespace
}  // namespace megadapt
