#include <gmock/gmock.h>

#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing_support::planted_domains;

class BaselinesTest : public testing::Test {
 protected:
  std::vector<double> predictions(const char* system, const Dataset& data,
                                  const Options& options = {}) {
    const auto predictor = find_system(system).fit(data, 1, options, {exec_});
    std::vector<double> all, p(3);
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      predictor->predict(data.rows[n], 1, p);
      all.insert(all.end(), p.begin(), p.end());
    }
    return all;
  }
  Execution exec_{2};
};

TEST_F(BaselinesTest, OnlyTargetIsMixWithoutTheSource) {
  const Dataset both = planted_domains(100, 40, 1);
  Dataset alone = both;
  std::fill(alone.weight.begin(), alone.weight.begin() + 100, 0.0f);
  const auto a = predictions("onlyi", both, {.tolerance = 1e-8});
  const auto b = predictions("mix", alone, {.tolerance = 1e-8});
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-3);
}

TEST_F(BaselinesTest, WeightedMixOfEqualSizesIsMix) {
  const Dataset data = planted_domains(60, 60, 2);
  EXPECT_EQ(predictions("mixw", data), predictions("mix", data));
}

TEST_F(BaselinesTest, WeightedMixTakesAWeight) {
  const Dataset data = planted_domains(120, 60, 2);
  EXPECT_EQ(predictions("mixw", data, {.out_weight = 0.5}), predictions("mixw", data));
  EXPECT_EQ(predictions("mixw", data, {.out_weight = 1}), predictions("mix", data));
}

TEST_F(BaselinesTest, SystemsThatNeedASourceSaySo) {
  const Dataset data = planted_domains(0, 60, 2);
  EXPECT_THROW(predictions("onlyo", data), UsageError);
  EXPECT_THROW(predictions("mixw", data), UsageError);
}

TEST_F(BaselinesTest, AnUnknownNameGetsASuggestion) {
  try {
    find_system("onlyy");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'only"));
  }
}

TEST_F(BaselinesTest, StrictFitsThrowWhenTheyDoNotConverge) {
  const Dataset data = planted_domains(100, 60, 2);
  const Options options{.tolerance = 1e-9, .max_passes = 3};
  const FitContext strict{.exec = exec_, .strict = true};
  EXPECT_THROW(find_system("mix").fit(data, 1, options, strict), NotConverged);
}

}  // namespace
}  // namespace megadapt
