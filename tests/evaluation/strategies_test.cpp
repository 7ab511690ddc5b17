#include "megadapt/strategies.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "evaluation/curves/labels_needed.hpp"
#include "evaluation/curves/power_law.hpp"
#include "support/planted_domains.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;
using testing_support::add_row;
using testing_support::kIn;
using testing_support::planted_domains;
using testing_support::planted_sequences;

TEST(PowerLawLaw, FindsTheLawThatMadeThePoints) {
  const PowerLaw planted{0.9, 0.8, 0.5};
  const std::vector<double> n{10, 20, 40, 80, 160};
  std::vector<double> accuracy;
  for (const double size : n) accuracy.push_back(planted(size));
  const PowerLaw found = fit_power_law(n, accuracy);
  for (const double size : {5., 100., 1000.}) EXPECT_NEAR(found(size), planted(size), 1e-9);
  EXPECT_NEAR(found.labels_for(planted(300), 1e6), 300, 1e-6);
  EXPECT_EQ(found.labels_for(0.95, 1e6), 1e6) << "beyond the limit";
}

TEST(PowerLaw, NeverFallsAndNeverExceedsOne) {
  const PowerLaw falling = fit_power_law({10, 20, 40}, {0.9, 0.8, 0.7});
  EXPECT_NEAR(falling(1000), 0.8, 1e-12);
  const PowerLaw steep = fit_power_law({10, 20, 40}, {0.5, 0.75, 0.99});
  EXPECT_LE(steep(1e9), 1);
}

SystemCurve curve_by(const std::string& name, const PowerLaw& law, double deviation) {
  SystemCurve curve{name, {}, {}};
  for (const double n : {10., 20., 40., 80., 160.}) {
    curve.points.push_back({n, {law(n), law(n) - deviation, law(n) + deviation}, {}, {}});
  }
  return curve;
}

TEST(SourceWorth, IsTheNumberOfLabelsThatTheTargetAloneNeeds) {
  const PowerLaw alone{0.9, 0.8, 0.5};
  const SystemCurve onlyi = curve_by("onlyi", alone, 0.01);
  const PowerLaw adapted{0.9, 0.8 * std::pow(160. / 500, 0.5), 0.5};  // at 160 as at 500
  const auto worth = source_worth(curve_by("prior", adapted, 0.01), onlyi, 5, 1);
  ASSERT_TRUE(worth);
  EXPECT_NEAR(worth->labels, 340, 1e-3);
  EXPECT_FALSE(worth->more_than);
  EXPECT_LT(worth->interval[0], 340);
  EXPECT_GT(worth->interval[1], 340);
  const auto far = source_worth(curve_by("prior", {0.95, 0.1, 0.5}, 0.01), onlyi, 5, 1);
  EXPECT_TRUE(far->more_than);
  const auto none = source_worth(curve_by("prior", {0.7, 0.1, 0.5}, 0.01), onlyi, 5, 1);
  EXPECT_EQ(none->labels, 0);
}

TEST(ExpectedGain, ComesFromTheCurveAndNarrowsWithRepeats) {
  const PowerLaw law{0.9, 0.8, 0.5};
  const SystemCurve curve = curve_by("prior", law, 0.02);
  const auto few = expected_gain(curve, 2, 160, 100, 1);
  const auto many = expected_gain(curve, 50, 160, 100, 1);
  ASSERT_TRUE(few && many);
  EXPECT_NEAR(few->gain, law(260) - law(160), 1e-9);
  EXPECT_LE(few->interval[0], few->gain);
  EXPECT_GE(few->interval[1], few->gain);
  EXPECT_LT(many->interval[1] - many->interval[0], few->interval[1] - few->interval[0]);
  SystemCurve small = curve;
  small.points.resize(2);
  EXPECT_FALSE(expected_gain(small, 5, 160, 100, 1)) << "two points have no curvature";
}

TEST(LabelsNeeded, IsAShareOfTheLabelsOfTheOtherOrder) {
  std::vector<LabelledSteps> first, second;
  for (int r = 0; r < 4; ++r) {
    const double noise = 0.001 * r;
    first.push_back({{50, 100, 200, 400}, {0.5, 0.6, 0.7 + noise, 0.8}});
    second.push_back({{50, 100, 200, 400}, {0.5, 0.7, 0.8, 0.82 + noise}});
  }
  const LabelsNeeded found = labels_needed(first, second, 1);
  EXPECT_NEAR(found.share, 0.5, 1e-9);
  EXPECT_EQ(found.accuracy, 0.8);
  EXPECT_LE(found.interval[0], 0.5);
  EXPECT_GE(found.interval[1], 0.5 - 1e-9);
  EXPECT_NEAR(labels_needed(second, first, 1).share, 2, 0.1) << "the other way round";
  EXPECT_NEAR(labels_needed(first, first, 1).share, 1, 1e-12);
}

/// Rows of ten kinds. The source knows the labels of nine kinds, which make up most of the
/// rows; the tenth has three words whose labels can be learnt only from the target's rows.
Dataset rows_with_a_hard_corner(std::size_t source, std::size_t target,
                                std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  data.own_schema().features.add("");
  constexpr std::uint32_t kEasy = 8, kHard = 24, kNoise = 40;
  for (std::uint32_t f = 0; f < kEasy + kHard + kNoise; ++f) {
    data.own_schema().features.add(fmt::format("f{}", f));
  }
  for (const char* label : {"a", "b"}) data.own_schema().labels.add(label);
  for (const char* domain : {"out", "in"}) data.own_schema().domains.add(domain);
  for (std::size_t n = 0; n < source + target; ++n) {
    const std::uint32_t domain = n < source ? 0 : 1;
    const std::uint32_t label = random.below(2);
    std::vector<std::uint32_t> features{0};
    const bool hard = domain == 1 && random.below(10) < 2;
    const std::uint32_t base = hard ? kEasy : 0, kinds = hard ? kHard : kEasy;
    features.push_back(1 + base + 2 * random.below(kinds / 2) + label);
    for (std::uint32_t f = 0; f < kNoise; ++f) {
      if (random.below(10) == 0) features.push_back(1 + kEasy + kHard + f);
    }
    add_row(data, features, label, domain);
  }
  return data;
}

CurveOptions simulation(std::vector<std::size_t> sizes) {
  return {.systems = {"prior"},
          .sizes = std::move(sizes),
          .repeats = 6,
          .when_tuned = CurveTuning::none,
          .tuning = {.base = {.tolerance = 1e-3}}};
}

TEST(Strategies, NextFindsTheRowsThatMatter) {
  const Dataset train = rows_with_a_hard_corner(400, 600, 5);
  const Dataset test = rows_with_a_hard_corner(0, 800, 6);
  const Strategies both = compare_strategies(
      train, kIn, &test, simulation({20, 40, 60, 80, 120, 160, 240}), Execution(2));
  ASSERT_EQ(both.systems.size(), 1u);
  const StrategyCurve& curve = both.systems[0];
  EXPECT_EQ(curve.random[0].accuracy.mean, curve.next[0].accuracy.mean)
      << "both begin with the same labels";
  EXPECT_LT(curve.share, 0.7);
  EXPECT_LT(curve.interval[1], 1);
  EXPECT_GE(curve.interval[1], curve.share);
  EXPECT_THAT(both.verdict, HasSubstr("% of the labels of random ["));
}

TEST(StrategiesLaw, TheNumberOfThreadsDoesNotMatter) {
  const Dataset train = planted_domains(60, 90, 5);
  const auto with = [&](int threads) {
    const Strategies found = compare_strategies(
        train, kIn, nullptr, simulation({8, 16, 32}), Execution(threads));
    std::vector<double> numbers{found.systems[0].share};
    for (const CurvePoint& point : found.systems[0].next) {
      numbers.push_back(point.accuracy.mean);
      numbers.push_back(point.log_loss.mean);
    }
    return numbers;
  };
  EXPECT_EQ(with(1), with(4));
}

TEST(Strategies, SentencesAreLabelledAsAWhole) {
  const Dataset train = planted_sequences(20, 40, 4);
  CurveOptions options = simulation({20, 40, 80});
  options.systems = {"mix"};
  options.repeats = 2;
  const Strategies found = compare_strategies(train, kIn, nullptr, options, Execution(1));
  const StrategyCurve& curve = found.systems[0];
  ASSERT_EQ(curve.next.size(), 3u);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_GE(curve.next[s].examples, found.sizes[s]);
    EXPECT_LT(curve.next[s].examples, found.sizes[s] + 10) << "at most a sentence more";
  }
}

TEST(Strategies, ImpossibleSizesAreRefused) {
  const Dataset train = planted_domains(20, 30, 5);
  EXPECT_THROW(compare_strategies(train, kIn, nullptr, simulation({5, 31}), Execution(1)),
               UsageError);
  EXPECT_THROW(compare_strategies(train, kIn, nullptr, simulation({5}), Execution(1)),
               UsageError);
}

}  // namespace
}  // namespace megadapt
