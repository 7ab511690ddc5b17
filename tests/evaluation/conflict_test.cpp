#include <gmock/gmock.h>

#include "mega/plant.hpp"
#include "megadapt/comparison.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;

Dataset planted(const Planting& planting) {
  const PlantedModel model(planting);
  Dataset data;
  for (std::uint32_t f = 0; f < planting.markers + planting.words; ++f) {
    data.own_schema().features.add(model.feature_name(f));
  }
  for (std::uint32_t y = 0; y < planting.labels; ++y) {
    data.own_schema().labels.add(PlantedModel::label_name(y));
  }
  for (const char* domain : {"out", "in"}) data.own_schema().domains.add(domain);
  for (const PlantedRow& row : model.draw_source(planting.source_rows, 0)) {
    add_row(data, row.features, row.label, 0);
  }
  for (const PlantedRow& row : model.draw_target(planting.target_rows, 0)) {
    add_row(data, row.features, row.label, 1);
  }
  return data;
}

Conflict conflict_of(double conflict, double reveal, std::uint64_t seed) {
  const Dataset data = planted({.source_rows = 1500,
                                .target_rows = 500,
                                .source_general = 0.8,
                                .target_general = 0.4,
                                .conflict = conflict,
                                .reveal = reveal,
                                .words = 20,
                                .strength = 1.5,
                                .seed = seed});
  const Relatedness how = relate(data, {.rounds = 1}, Execution(1));
  return how.conflict(0, 1).value();
}

TEST(Conflict, GrowsWithThePlantedConflict) {
  for (const std::uint64_t seed : {1, 2}) {
    double last = -1;
    for (const double planted : {0.0, 0.5, 1.0}) {
      const Conflict found = conflict_of(planted, 0.8, seed);
      EXPECT_GT(found.source_fails, last) << planted;
      last = found.source_fails;
    }
  }
}

TEST(Conflict, TheAdviceFollowsWhatIsPlanted) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_EQ(conflict_of(0, 0.8, seed).advice, "little conflict: pooling is safe");
    const Conflict revealed = conflict_of(1, 0.8, seed);
    EXPECT_EQ(revealed.advice, "conflict that x reveals: try megam");
    EXPECT_GT(revealed.auc.value(), 0.75);
    const Conflict hidden = conflict_of(1, 0, seed);
    EXPECT_THAT(hidden.advice, testing::HasSubstr("conflict that x does not reveal"));
    EXPECT_LT(hidden.auc.value(), 0.6);
  }
}

// Each of 195 words occurs in one row of the target, so its own model guesses label 1, which
// is more frequent. The source knows the words with label 0, which 120 of these rows have.
TEST(Conflict, ASourceThatIsRightMoreOftenIsNoConflict) {
  Dataset data;
  for (const char* label : {"0", "1"}) data.own_schema().labels.add(label);
  for (const char* domain : {"out", "in"}) data.own_schema().domains.add(domain);
  const std::uint32_t bias = data.own_schema().features.add("bias");
  for (int i = 0; i < 500; ++i) add_row(data, {bias}, 1, 0);
  for (int i = 0; i < 105; ++i) add_row(data, {bias}, 1, 1);
  for (int w = 0; w < 195; ++w) {
    const std::uint32_t word = data.own_schema().features.add("w" + std::to_string(w));
    for (int i = 0; i < 10; ++i) add_row(data, {bias, word}, 0, 0);
    add_row(data, {bias, word}, w < 120 ? 0 : 1, 1);
  }
  const Conflict found = relate(data, {.rounds = 1}, Execution(1)).conflict(0, 1).value();
  EXPECT_NEAR(found.source_fails, 0.25, 0.02);
  EXPECT_NEAR(found.source_helps, 0.4, 0.02);
  EXPECT_EQ(
      found.advice,
      "the source's model is right more often than the target's own: pooling is safe");
}

TEST(Conflict, ADomainThatIsTooSmallHasNone) {
  const Dataset data = planted({.source_rows = 50, .target_rows = 1, .words = 4});
  const Relatedness how = relate(data, {.rounds = 1}, Execution(1));
  EXPECT_FALSE(how.conflict(0, 1));
  EXPECT_TRUE(how.conflict(1, 0));
}

TEST(Conflict, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = planted({.source_rows = 100, .target_rows = 60, .words = 6});
  const auto one = relate(data, {.rounds = 1}, Execution(1)).conflict(0, 1);
  const auto four = relate(data, {.rounds = 1}, Execution(4)).conflict(0, 1);
  EXPECT_EQ(one->source_fails, four->source_fails);
  EXPECT_EQ(one->auc, four->auc);
}

}  // namespace
}  // namespace megadapt
