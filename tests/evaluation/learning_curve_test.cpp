#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "dataset/select_rows.hpp"
#include "evaluation/nested_samples.hpp"
#include "megadapt/comparison.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::planted_domains;

constexpr std::uint32_t kTarget = 1;

CurveOptions quick(std::vector<std::string> systems = {"onlyi", "mix"}) {
  return {.systems = std::move(systems),
          .repeats = 3,
          .when_tuned = CurveTuning::none,
          .tuning = {.base = {.tolerance = 1e-3}}};
}

Dataset rows_in_groups(std::size_t rows_per_group) {
  Dataset data = planted_domains(60, 60, 3);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    data.group.push_back(data.own_groups().add(fmt::format("g{}", n / rows_per_group)));
  }
  return data;
}

TEST(NestedSamples, ASampleHoldsTheSmallerOnes) {
  const Dataset data = rows_in_groups(4);
  const auto shuffled = shuffled_rows(data, data.rows_of(kTarget), 7);
  std::size_t before = 0;
  for (std::size_t size = 1; size <= shuffled.size(); ++size) {
    const std::size_t taken = sample_size(data, shuffled, size);
    EXPECT_GE(taken, before) << "prefixes are nested when they do not shrink";
    EXPECT_EQ(taken % 4, 0u) << "groups are whole";
    EXPECT_LE(taken, size + 3);
    before = taken;
  }
  EXPECT_EQ(before, shuffled.size());
}

TEST(NestedSamples, AShuffleKeepsTheRowsAndTheirGroups) {
  const Dataset data = rows_in_groups(5);
  const auto rows = data.rows_of(kTarget);
  const auto shuffled = shuffled_rows(data, rows, 7);
  EXPECT_EQ(std::set(shuffled.begin(), shuffled.end()), std::set(rows.begin(), rows.end()));
  EXPECT_NE(shuffled, rows);
  EXPECT_EQ(shuffled, shuffled_rows(data, rows, 7));
  EXPECT_NE(shuffled, shuffled_rows(data, rows, 8));
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    EXPECT_EQ(data.group[shuffled[i]], data.group[shuffled[i / 5 * 5]]);
  }
}

TEST(NestedSamples, SizesAreHalved) {
  EXPECT_THAT(halved_sizes(200), ElementsAre(6, 13, 25, 50, 100, 200));
  EXPECT_THAT(halved_sizes(12), ElementsAre(6, 12));
  EXPECT_THAT(halved_sizes(3), ElementsAre(3));
}

TEST(LearningCurves, EndWhereTrainingOnAllRowsDoes) {
  const Dataset train = planted_domains(80, 40, 5);
  const Dataset test = planted_domains(1, 200, 6);
  const LearningCurves curves =
      learning_curves(train, kTarget, &test, quick(), Execution(1));
  EXPECT_THAT(curves.sizes, ElementsAre(5, 10, 20, 40));
  for (const SystemCurve& curve : curves.systems) {
    ASSERT_EQ(curve.points.size(), 4u);
    const auto fit =
        find_system(curve.name).fit(train, kTarget, {.tolerance = 1e-3}, {Execution(1)});
    std::vector<std::size_t> rows(test.num_examples());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::size_t right = 0;
    const auto predictions = predict_rows(*fit, test, rows, kTarget, Execution(1));
    for (const std::size_t n : rows) right += predictions.label[n] == test.label[n];
    const CurvePoint& last = curve.points.back();
    EXPECT_EQ(last.examples, 40);
    EXPECT_NEAR(last.accuracy.mean,
                static_cast<double>(right) / static_cast<double>(rows.size()), 1e-12);
    EXPECT_EQ(last.accuracy.low, last.accuracy.high) << "all repeats are one";
    for (const CurvePoint& point : curve.points) {
      EXPECT_LE(point.accuracy.low, point.accuracy.mean);
      EXPECT_GE(point.accuracy.high, point.accuracy.mean);
      EXPECT_GT(point.log_loss.mean, 0);
    }
  }
  EXPECT_EQ(curves.best, "mix");
  EXPECT_THAT(curves.verdict, HasSubstr("as accurate as onlyi with all 40 rows of 'in'"));
  EXPECT_EQ(curves.verdict.find(". "), std::string::npos) << "one sentence";
  EXPECT_THAT(curves.evidence, Contains(HasSubstr("to 40 rows, mix ")));
}

TEST(LearningCurves, ASystemWithoutTargetRowsIsFlat) {
  const Dataset train = planted_domains(80, 40, 5);
  const Dataset test = planted_domains(1, 100, 6);
  const LearningCurves curves =
      learning_curves(train, kTarget, &test, quick({"onlyo"}), Execution(1));
  EXPECT_EQ(curves.systems[0].name, "onlyo");
  EXPECT_EQ(curves.systems[1].name, "onlyi") << "the reference joins in";
  for (const CurvePoint& point : curves.systems[0].points) {
    EXPECT_EQ(point.accuracy.mean, curves.systems[0].points[0].accuracy.mean);
  }
}

TEST(LearningCurves, WithoutTestRowsFoldsAreHeldOut) {
  const Dataset train = planted_domains(60, 50, 9);
  CurveOptions options = quick();
  options.repeats = 5;
  const LearningCurves curves =
      learning_curves(train, kTarget, nullptr, options, Execution(1));
  EXPECT_EQ(curves.tested, 50u);
  EXPECT_EQ(curves.sizes.back(), 40u);
}

TEST(LearningCurves, ThreadsDoNotChangeTheAnswer) {
  const Dataset train = planted_domains(60, 30, 9);
  CurveOptions options = quick({"onlyi", "prior", "megam"});
  options.when_tuned = CurveTuning::once;
  options.sizes = {10};
  const auto one = learning_curves(train, kTarget, nullptr, options, Execution(1));
  const auto four = learning_curves(train, kTarget, nullptr, options, Execution(4));
  for (std::size_t i = 0; i < one.systems.size(); ++i) {
    for (std::size_t p = 0; p < one.systems[i].points.size(); ++p) {
      EXPECT_EQ(one.systems[i].points[p].log_loss.mean,
                four.systems[i].points[p].log_loss.mean);
    }
  }
  EXPECT_EQ(one.verdict, four.verdict);
}

TEST(LearningCurves, TuningEachSampleRuns) {
  const Dataset train = planted_domains(40, 30, 9);
  CurveOptions options = quick({"onlyi", "mix"});
  options.when_tuned = CurveTuning::each;
  options.repeats = 2;
  options.sizes = {12};
  const auto curves = learning_curves(train, kTarget, nullptr, options, Execution(2));
  EXPECT_EQ(curves.systems[1].points.size(), 2u);
}

TEST(LearningCurves, StopLeavesLargerSizesOut) {
  const Dataset train = planted_domains(80, 40, 5);
  CurveOptions options = quick();
  options.stop = 1.0;  // no step gains that much
  const LearningCurves curves =
      learning_curves(train, kTarget, nullptr, options, Execution(1));
  EXPECT_TRUE(curves.stopped);
  for (const SystemCurve& curve : curves.systems) {
    EXPECT_EQ(curve.points.size(), curve.name == "onlyi" ? 3u : 2u);
  }
  EXPECT_EQ(curves.systems[0].points.back().examples, 32);
}

TEST(LearningCurves, SystemsThatCannotRunAreLeftOut) {
  const Dataset both = planted_domains(5, 40, 5);
  const Dataset alone = select_rows(both, both.rows_of(kTarget));
  const LearningCurves curves =
      learning_curves(alone, kTarget, nullptr, quick({"onlyi", "prior"}), Execution(1));
  EXPECT_EQ(curves.systems[0].left_out, "");
  EXPECT_THAT(curves.systems[1].left_out, HasSubstr("needs rows of a domain other than"));
  EXPECT_THAT(curves.verdict, HasSubstr("Only onlyi ran"));
}

TEST(LearningCurves, RefuseInvalidOptions) {
  const Dataset train = planted_domains(20, 20, 5);
  const auto run = [&](CurveOptions options) {
    learning_curves(train, kTarget, nullptr, options, Execution(1));
  };
  CurveOptions options = quick();
  options.sizes = {1000};
  EXPECT_THROW(run(options), UsageError);
  options.sizes = {0, 4};
  EXPECT_THROW(run(options), UsageError);
  options = quick({"mixx"});
  EXPECT_THROW(run(options), UsageError);
  options = quick();
  options.repeats = 0;
  EXPECT_THROW(run(options), UsageError);
}

}  // namespace
}  // namespace megadapt
