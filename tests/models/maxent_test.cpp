#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::Pointwise;

std::vector<double> predict(const MaxentPredictor& model, RowView row) {
  std::vector<double> probability(model.num_labels(), -1);
  model.predict(row, 0, probability);
  return probability;
}

// exp(lambda_y . x) / Z, summed literally.
std::vector<double> oracle(std::uint32_t num_labels, const std::vector<double>& weights,
                           const std::vector<std::uint32_t>& features,
                           const std::vector<float>& values) {
  std::vector<double> p(num_labels);
  double total = 0;
  for (std::uint32_t y = 0; y < num_labels; ++y) {
    double score = 0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::size_t at = std::size_t{features[i]} * num_labels + y;
      if (at < weights.size()) score += weights[at] * static_cast<double>(values[i]);
    }
    total += p[y] = std::exp(score);
  }
  for (double& value : p) value /= total;
  return p;
}

// Strides 2, 4, 8, 12, 16, ... use different blocks of labels. Weights are rounded to
// float: 30 of them with 6e-8 relative error each change a probability by less than 1e-5.
TEST(MaxentPredictor, AgreesWithTheFormula) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  constexpr std::uint32_t kFeatures = 50;
  for (std::uint32_t num_labels = 1; num_labels <= 40; ++num_labels) {
    std::vector<double> weights(kFeatures * num_labels);
    for (double& weight : weights) weight = normal(random);
    const MaxentPredictor model(num_labels, weights);
    EXPECT_EQ(model.num_features(), kFeatures);
    for (std::size_t length : {0, 1, 5, 30}) {
      std::vector<std::uint32_t> features;
      std::vector<float> values;
      for (std::size_t i = 0; i < length; ++i) {
        features.push_back(random() % (kFeatures + 10));  // some have no weight
        values.push_back(static_cast<float>(normal(random)));
      }
      EXPECT_THAT(
          predict(model, {features, values}),
          Pointwise(DoubleNear(1e-5), oracle(num_labels, weights, features, values)));
      const std::vector<float> ones(length, 1);
      const auto p = predict(model, {features, {}});
      EXPECT_THAT(p,
                  Pointwise(DoubleNear(1e-5), oracle(num_labels, weights, features, ones)));
      double total = 0;
      for (const double value : p) total += value;
      EXPECT_NEAR(total, 1, 1e-14);
    }
  }
}

TEST(MaxentPredictor, ARowWithoutFeaturesIsUniform) {
  const MaxentPredictor model(5, std::vector<double>(50, 3));
  EXPECT_THAT(predict(model, {}), Each(0.2));
  const std::vector<std::uint32_t> unknown{10, 11, kNone};
  EXPECT_THAT(predict(model, {unknown, {}}), Each(0.2));
}

TEST(MaxentPredictor, SurvivesExtremeScores) {
  const float huge = 3e38F;
  const MaxentPredictor model(3, std::vector<double>{huge, -huge, 0, huge, huge, 0});
  const std::vector<std::uint32_t> row{0};
  const auto one_wins = testing::ElementsAre(1, testing::Lt(1e-300), testing::Lt(1e-300));
  EXPECT_THAT(predict(model, {row, {}}), one_wins);
  const std::vector<std::uint32_t> both{0, 1};
  const std::vector<float> values{huge, huge};
  EXPECT_THAT(predict(model, {both, values}), one_wins);
}

TEST(MaxentPredictor, KnowsItsWeights) {
  const MaxentPredictor model(3, std::vector<double>{1, 2, 3, 4, 5, 6.1});
  EXPECT_EQ(model.weight(0, 0), 1);
  EXPECT_EQ(model.weight(1, 0), 4);
  EXPECT_EQ(model.weight(1, 2), 6.1F);
}

}  // namespace
}  // namespace megadapt
