#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>

#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

struct Shape {
  std::uint32_t features, labels, domains;
};

std::vector<double> normals(std::size_t count, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(random);
  return values;
}

Mixture random_mixture(const Shape& shape, std::mt19937& random) {
  Mixture m;
  m.general.weights = normals(shape.features * shape.labels, random);
  for (std::uint32_t d = 0; d < shape.domains; ++d) {
    m.domain.push_back({normals(shape.features * shape.labels, random), {}});
    m.general_share.push_back(0.1 * (1 + d));
  }
  m.gate = {normals(shape.domains, random),
            normals(shape.features * shape.domains, random)};
  return m;
}

// exp(lambda_y . x) / Z, summed literally; features without a weight are skipped.
std::vector<double> expert(const Component& c, std::uint32_t labels,
                           const std::vector<std::uint32_t>& features,
                           const std::vector<float>& values) {
  std::vector<double> p(labels);
  for (std::uint32_t y = 0; y < labels; ++y) {
    double score = 0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::size_t at = std::size_t{features[i]} * labels + y;
      if (at < c.weights.size()) score += c.weights[at] * static_cast<double>(values[i]);
    }
    p[y] = std::exp(score);
  }
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& value : p) value /= total;
  return p;
}

double gate(const Mixture& m, const Shape& shape, std::uint32_t domain,
            const std::vector<std::uint32_t>& features, const std::vector<float>& values) {
  double log_odds = m.gate.intercept[domain];
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (values[i] > 0 && features[i] < shape.features) {
      log_odds += m.gate.weights[features[i] * shape.domains + domain];
    }
  }
  return 1 / (1 + std::exp(-log_odds));
}

// Weights are rounded to float: 15 of them change a probability by less than 1e-5.
TEST(MixturePredictor, AgreesWithTheFormula) {
  std::mt19937 random(7);
  for (const std::uint32_t labels : {1u, 2u, 3u, 9u}) {
    for (const std::uint32_t domains : {1u, 2u, 5u}) {
      const Shape shape{30, labels, domains};
      const Mixture m = random_mixture(shape, random);
      const MixturePredictor model(labels, m);
      EXPECT_EQ(model.num_domains(), domains);
      EXPECT_EQ(model.num_features(), shape.features);
      for (std::uint32_t d = 0; d < domains; ++d) {
        EXPECT_EQ(model.general_share(d), m.general_share[d]);
        for (const bool plain : {true, false}) {
          std::vector<std::uint32_t> features;
          std::vector<float> values;
          for (int i = 0; i < 15; ++i) {
            features.push_back(random() % (shape.features + 10));  // some unknown
            values.push_back(plain ? 1.0F : static_cast<float>(normals(1, random)[0]));
          }
          const RowView row{features, plain ? std::span<const float>() : values};
          const double g = gate(m, shape, d, features, values);
          std::vector<double> expected = expert(m.general, labels, features, values);
          const auto own = expert(m.domain[d], labels, features, values);
          for (std::uint32_t y = 0; y < labels; ++y) {
            expected[y] = g * expected[y] + (1 - g) * own[y];
          }
          std::vector<double> p(labels);
          model.predict(row, d, p);
          EXPECT_THAT(p, Pointwise(DoubleNear(1e-5), expected));
          EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-14);
          EXPECT_NEAR(*model.general(row, d), g, 1e-5);
        }
      }
    }
  }
}

// A share held at 0 or 1 has infinite log-odds: then only one expert counts.
TEST(MixturePredictor, HeldSharesLeaveOneExpert) {
  std::mt19937 random(3);
  const Shape shape{6, 3, 2};
  Mixture m = random_mixture(shape, random);
  m.gate.intercept = {INFINITY, -INFINITY};
  const MixturePredictor model(3, m);
  const std::vector<std::uint32_t> features{0, 3, 5};
  const RowView row{features, {}};
  const ModelPart whole = model.parts({.labels = {}, .domains = {"a", "b"}, .sources = {}});
  std::vector<double> mixed(3), alone(3);
  model.predict(row, 0, mixed);
  whole.children[0].predictor->predict(row, 0, alone);
  EXPECT_EQ(mixed, alone);
  EXPECT_EQ(model.general(row, 0), 1);
  model.predict(row, 1, mixed);
  whole.children[2].predictor->predict(row, 1, alone);
  EXPECT_EQ(mixed, alone);
  EXPECT_EQ(model.general(row, 1), 0);
  EXPECT_TRUE(std::isfinite(whole.children[1].gate->intercept));  // as files need
}

TEST(MixturePredictor, ARowWithoutFeaturesIsUniform) {
  std::mt19937 random(4);
  const MixturePredictor model(4, random_mixture({5, 4, 2}, random));
  std::vector<double> p(4);
  model.predict({}, 1, p);
  EXPECT_THAT(p, testing::Each(DoubleNear(0.25, 1e-15)));
}

TEST(MixturePredictor, KnowsItsGate) {
  std::mt19937 random(5);
  const Mixture m = random_mixture({4, 2, 2}, random);
  const MixturePredictor model(2, m);
  const ModelPart whole = model.parts({.labels = {}, .domains = {"a", "b"}, .sources = {}});
  EXPECT_EQ(whole.children[0].role, PartRole::general);
  const ModelPart& own = whole.children[2];
  EXPECT_EQ(own.name, "b");
  EXPECT_EQ((*own.gate)(3), static_cast<float>(m.gate.weights[3 * 2 + 1]));
  EXPECT_EQ(own.gate->intercept, m.gate.intercept[1]);
}

}  // namespace
}  // namespace megadapt
