// Compares predict_extended with predict on the joined rows, for every kind of predictor.
#include <gmock/gmock.h>

#include <cmath>

#include "base/random.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

constexpr std::uint32_t kF = 30, kY = 5;

std::vector<double> random_weights(std::uint32_t features, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights(std::size_t{features} * kY);
  for (double& w : weights) w = 4 * random.uniform() - 2;
  return weights;
}

MaxentPredictor random_maxent(std::uint64_t seed) { return {kY, random_weights(kF, seed)}; }

// Returns a mixture whose gate does not see the features from 20 on.
std::unique_ptr<Predictor> random_mixture(std::uint64_t seed) {
  Mixture mixture;
  Random random(seed);
  mixture.general.weights = random_weights(kF, seed + 1);
  for (const std::uint64_t d : {2, 3}) {
    mixture.domain.push_back({random_weights(kF, seed + d), {}});
  }
  mixture.general_share = {0.5, 0.3};
  mixture.gate.intercept = {0.2, -0.4};
  mixture.gate.weights.resize(kF * 2);
  for (std::size_t i = 0; i < 40; ++i) mixture.gate.weights[i] = random.uniform() - 0.5;
  return std::make_unique<MixturePredictor>(kY, mixture);
}

std::vector<std::unique_ptr<Predictor>> every_kind() {
  std::vector<std::unique_ptr<Predictor>> all;
  all.push_back(std::make_unique<MaxentPredictor>(random_maxent(1)));
  all.push_back(random_mixture(10));
  std::vector<MaxentPredictor> experts;
  experts.push_back(random_maxent(20));
  experts.push_back(random_maxent(21));
  all.push_back(std::make_unique<PerDomainPredictor>(std::move(experts)));
  std::vector<std::unique_ptr<Predictor>> sources;
  sources.push_back(std::make_unique<MaxentPredictor>(random_maxent(30)));
  all.push_back(std::make_unique<SourceFeaturesPredictor>(
      std::move(sources), SourceFeatures::both,
      MaxentPredictor(kY, random_weights(kF + 2 * kY, 31))));
  std::vector<std::unique_ptr<Predictor>> members;
  members.push_back(random_mixture(40));
  members.push_back(std::make_unique<MaxentPredictor>(random_maxent(41)));
  all.push_back(std::make_unique<CombinationPredictor>(std::move(members),
                                                       std::vector<double>{0.7, 0.3}));
  return all;
}

TEST(PredictExtended, EqualsPredictOfTheJoinedRows) {
  const std::vector<std::uint32_t> base{0, 3, 7, 19, 1000};
  const std::vector<float> values{1, 0.5F, 2, 1, 1};
  const std::vector<std::vector<std::uint32_t>> added{{20, 25}, {}, {29}, {kNone, 21}};
  std::vector<RowView> extensions;
  for (const auto& features : added) extensions.push_back({features, {}});
  for (const auto& predictor : every_kind()) {
    for (const bool with_values : {false, true}) {
      const RowView row{
          base, with_values ? std::span<const float>(values) : std::span<const float>()};
      std::vector<double> fast(added.size() * kY), generic(fast.size());
      predictor->predict_extended(row, extensions, 1, fast);
      predictor->Predictor::predict_extended(row, extensions, 1, generic);
      EXPECT_THAT(fast, testing::Pointwise(testing::DoubleNear(1e-12), generic))
          << predictor->kind();
    }
  }
}

TEST(PredictExtended, TheGateIgnoresExtensions) {
  const auto mixture = random_mixture(10);
  const std::vector<std::uint32_t> base{1, 2}, longer{1, 2, 22, 28};
  EXPECT_EQ(mixture->general({base, {}}, 0), mixture->general({longer, {}}, 0));
}

// The scores of two labels differ by x, so p / (1 - p) is exp(x) from the kernel.
TEST(PredictExtended, ExponentialsAgreeWithTheLibrary) {
  const MaxentPredictor model(2, std::vector<double>{0, 1});
  const std::vector<std::uint32_t> feature{0};
  std::vector<double> p(2);
  for (float x = 0; x > -700; x -= 0.137F) {
    const std::vector<float> value{x};
    model.predict({feature, value}, 0, p);
    EXPECT_NEAR(p[1] / p[0] / std::exp(static_cast<double>(x)), 1, 1e-15) << x;
  }
  const std::vector<float> far{-1e30F};
  model.predict({feature, far}, 0, p);
  EXPECT_EQ(p[0], 1);
  EXPECT_GT(p[1], 0);
  EXPECT_LT(p[1], 1e-300);
}

}  // namespace
}  // namespace megadapt
