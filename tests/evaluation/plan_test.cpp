// The forecast of a comparison, and how a limit shortens it.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/option_table.hpp"
#include "megadapt/comparison.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing_support::planted_domains;

class PlanTest : public testing::Test {
 protected:
  PlanTest() {
    options_.systems = {"onlyi", "mix", "prior", "easyadapt", "megam"};
    options_.tuning.folds = 3;
    options_.on_plan = [this](const WorkPlan& plan) { plan_ = plan; };
  }
  Comparison run(int threads = 2) {
    return compare(train_, 1, &test_, options_, Execution(threads));
  }
  Comparison run_within(double passes, int threads = 2) {
    options_.passes = passes;
    return run(threads);
  }
  static std::vector<std::string> names(const Comparison& comparison) {
    std::vector<std::string> names;
    for (const SystemResult& system : comparison.systems) {
      if (system.left_out.empty()) names.push_back(system.name);
    }
    return names;
  }

  Dataset train_ = planted_domains(120, 40, 1);
  Dataset test_ = planted_domains(0, 150, 2);
  CompareOptions options_;
  WorkPlan plan_;
};

TEST_F(PlanTest, WithoutALimitItIsAForecastAndChangesNothing) {
  const Comparison told = run();
  EXPECT_GT(plan_.passes, 0);
  EXPECT_GT(plan_.seconds, 0);
  EXPECT_FALSE(plan_.limit);
  EXPECT_THAT(plan_.budget, IsEmpty());
  EXPECT_THAT(plan_.left_out, IsEmpty());
  options_.on_plan = {};
  const Comparison silent = run();
  EXPECT_FALSE(silent.plan);
  for (std::size_t s = 0; s < told.systems.size(); ++s) {
    EXPECT_EQ(told.systems[s].predictions.probability,
              silent.systems[s].predictions.probability);
    EXPECT_FALSE(told.systems[s].cut_short);
  }
}

TEST_F(PlanTest, ALimitThatIsWideEnoughChangesNothing) {
  const Comparison whole = run();
  const Comparison within = run_within(2 * plan_.passes);
  EXPECT_THAT(plan_.budget, IsEmpty());
  EXPECT_EQ(within.verdict, whole.verdict);
  EXPECT_EQ(within.evidence, whole.evidence);
}

TEST_F(PlanTest, ALimitShortensSearchesAndSaysSo) {
  const Comparison whole = run();
  const double all = plan_.passes;
  const Comparison within = run_within(all / 3);
  EXPECT_LE(plan_.passes, all / 3 * (1 + 1e-9));
  EXPECT_THAT(plan_.left_out, IsEmpty());
  EXPECT_THAT(plan_.budget, Contains(Key("megam")));
  double before = 0, after = 0;
  std::size_t cut = 0;
  for (std::size_t s = 0; s < whole.systems.size(); ++s) {
    before += whole.systems[s].passes;
    after += within.systems[s].passes;
    cut += within.systems[s].cut_short ? 1 : 0;
    EXPECT_FALSE(within.systems[s].tried.empty()) << whole.systems[s].name;
    EXPECT_LE(within.systems[s].tried.size(), whole.systems[s].tried.size());
  }
  EXPECT_LT(after, before);
  ASSERT_GT(cut, 0u);
  EXPECT_THAT(within.evidence, Contains(HasSubstr("The limit ended the search")));
}

TEST_F(PlanTest, AVerySmallLimitLeavesOutTheMostExpensiveSystems) {
  run();
  const Comparison within = run_within(plan_.passes / 60);
  EXPECT_THAT(plan_.left_out, Contains("megam"));
  EXPECT_THAT(plan_.left_out, Not(Contains("onlyi")));
  EXPECT_THAT(names(within), Not(Contains("megam")));
  EXPECT_THAT(names(within), Contains("onlyi"));
  EXPECT_THAT(within.evidence, Contains(HasSubstr("The limit left no time for")));
  // One system is always compared.
  EXPECT_EQ(names(run_within(1e-6)).size(), 1u);
}

// The limit is in passes, so neither the number of threads nor the clock has a say.
TEST_F(PlanTest, TheSameLimitGivesTheSameBitsForAnyNumberOfThreads) {
  run();
  const double limit = plan_.passes / 5;
  const Comparison one = run_within(limit, 1);
  const WorkPlan plan = plan_;
  const Comparison three = run_within(limit, 3);
  EXPECT_EQ(plan_.budget, plan.budget);
  EXPECT_EQ(plan_.left_out, plan.left_out);
  EXPECT_EQ(one.verdict, three.verdict);
  for (std::size_t s = 0; s < one.systems.size(); ++s) {
    EXPECT_EQ(one.systems[s].tuned, three.systems[s].tuned);
    EXPECT_EQ(one.systems[s].passes, three.systems[s].passes);
    EXPECT_EQ(one.systems[s].predictions.probability,
              three.systems[s].predictions.probability);
  }
}

// Systems share fits of the source. Each search that uses one is charged for it; otherwise
// a limit would leave more to the system that happens to come later.
TEST_F(PlanTest, TheWorkOfASearchDoesNotDependOnTheOtherSystems) {
  options_.systems = {"prior"};
  const double alone = run().systems[0].passes;
  options_.systems = {"onlyo", "lini", "feats", "prior"};
  for (const int threads : {1, 3}) EXPECT_EQ(run(threads).systems[3].passes, alone);
}

TEST_F(PlanTest, ALimitOfTimeBecomesOneOfPasses) {
  options_.systems = {"onlyi", "mix"};
  options_.seconds = 3600;
  run();
  ASSERT_TRUE(plan_.limit);
  EXPECT_GT(*plan_.limit, plan_.passes);  // a small problem, and an hour
}

// A continuation follows the plan of the first run, whatever the machine does meanwhile.
TEST_F(PlanTest, AContinuationKeepsTheFirstLimit) {
  std::string pattern = testing::TempDir() + "/megadapt-plan-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  options_.systems = {"onlyi", "mix"};
  options_.resume = folder + "/kept";
  options_.seconds = 0.5;
  run();
  const std::optional<double> first = plan_.limit;
  run();
  EXPECT_EQ(plan_.limit, first);
  std::filesystem::remove_all(folder);
}

TEST_F(PlanTest, RanksFollowOnePlan) {
  options_.systems = {"onlyi", "mix", "easyadapt"};
  options_.on_plan = {};
  options_.passes = 300;
  const Comparison alone = run(1);
  run_ranks(2, [&](Communicator& ranks) {
    CompareOptions options = options_;
    options.ranks = &ranks;
    const Comparison shared = compare(train_, 1, &test_, options, Execution(1));
    EXPECT_EQ(shared.verdict, alone.verdict);
    EXPECT_EQ(shared.plan->budget, alone.plan->budget);
  });
}

TEST(Duration, IsANumberWithAUnit) {
  EXPECT_EQ(parse_duration("time", "90"), 90);
  EXPECT_EQ(parse_duration("time", "90s"), 90);
  EXPECT_EQ(parse_duration("time", "5m"), 300);
  EXPECT_EQ(parse_duration("time", "1.5h"), 5400);
  for (const char* wrong : {"", "m", "5 m", "-1s", "0", "5d", "nan", "inf", "1e999h"}) {
    EXPECT_THROW(parse_duration("time", wrong), UsageError) << wrong;
  }
}

}  // namespace
}  // namespace megadapt
