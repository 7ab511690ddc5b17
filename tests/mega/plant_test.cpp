#include "mega/plant.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "megadapt/error.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kRows = 20'000;

double accuracy_of_the_truth(const PlantedModel& model) {
  double right = 0;
  for (const PlantedRow& row : model.draw_target(kRows, 9)) {
    const auto p = model.probability(row);
    right += std::max_element(p.begin(), p.end()) - p.begin() == row.label;
  }
  return right / static_cast<double>(kRows);
}

TEST(Plant, NobodyDoesBetterThanTheTrueModelAndItDoesThatWell) {
  for (const double conflict : {0.0, 0.5, 1.0}) {
    const PlantedModel model({.conflict = conflict, .labels = 3});
    EXPECT_NEAR(accuracy_of_the_truth(model), model.bayes_accuracy(kRows), 0.01);
  }
}

TEST(Plant, TheTrueProbabilitiesAreCalibrated) {
  const PlantedModel model({});
  double expected = 0, found = 0;
  for (const PlantedRow& row : model.draw_target(kRows, 4)) {
    const double p = model.probability(row)[0];
    if (p > 0.3) continue;
    expected += p;
    found += row.label == 0;
  }
  EXPECT_NEAR(found / expected, 1, 0.05);
}

TEST(Plant, SharesMarkersAndConflictAreAsAsked) {
  const PlantedModel model({.target_general = 0.2, .reveal = 0.8});
  double general = 0, marked = 0;
  for (const PlantedRow& row : model.draw_target(kRows, 1)) {
    general += row.general;
    const bool has_first = !row.features.empty() && row.features[0] == 0;
    marked += row.general && has_first;
  }
  EXPECT_NEAR(general / kRows, 0.2, 0.01);
  EXPECT_NEAR(marked / general, 0.9, 0.02);
}

TEST(Plant, WhatCanBeKnownFollowsConflictAndReveal) {
  const auto bayes = [](double conflict, double reveal) {
    return PlantedModel({.conflict = conflict, .reveal = reveal}).bayes_accuracy(kRows);
  };
  EXPECT_NEAR(bayes(0, 0), bayes(0, 0.9), 0.01) << "markers tell nothing then";
  EXPECT_GT(bayes(1, 0.8), bayes(1, 0.3) + 0.05);
  EXPECT_GT(bayes(1, 0.3), bayes(1, 0) + 0.01);
}

TEST(Plant, ADrawDependsOnSeedAndNumberOnly) {
  const PlantedModel model({.seed = 5}), same({.seed = 5}), other({.seed = 6});
  const auto features = [](const PlantedModel& from, std::uint64_t draw) {
    return from.draw_source(1, draw)[0].features;
  };
  EXPECT_EQ(features(model, 1), features(same, 1));
  EXPECT_NE(features(model, 1), features(model, 2));
  EXPECT_NE(features(model, 1), features(other, 1));
}

TEST(Plant, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(PlantedModel({.conflict = 1.5}), UsageError);
  EXPECT_THROW(PlantedModel({.reveal = -1}), UsageError);
  EXPECT_THROW(PlantedModel({.target_general = NAN}), UsageError);
  EXPECT_THROW(PlantedModel({.labels = 1}), UsageError);
  EXPECT_THROW(PlantedModel({.labels = 5, .words = 4}), UsageError);
}

}  // namespace
}  // namespace megadapt
