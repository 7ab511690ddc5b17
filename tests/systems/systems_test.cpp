// At the limits of their options, systems become equal to each other.
#include "megadapt/systems.hpp"

#include <gmock/gmock.h>

#include "support/planted_domains.hpp"
#include "systems/combination_weights.hpp"

namespace megadapt {
namespace {

using testing_support::planted_domains;

class SystemsTest : public testing::Test {
 protected:
  std::vector<double> predictions(const char* system, const Options& options = {}) {
    const auto predictor = find_system(system).fit(data_, 1, options, {exec_});
    std::vector<double> all, p(3);
    for (std::size_t n = 0; n < data_.num_examples(); ++n) {
      predictor->predict(data_.rows[n], 1, p);
      all.insert(all.end(), p.begin(), p.end());
    }
    return all;
  }
  static double largest_difference(const std::vector<double>& a,
                                   const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
  }

  Execution exec_{2};
  Dataset data_ = planted_domains(150, 60, 1);
};

TEST_F(SystemsTest, PriorWithoutVarianceIsOnlySource) {
  const Options tight{.variance = 1e-9, .source_variance = 1};
  EXPECT_LT(largest_difference(predictions("prior", tight), predictions("onlyo")), 1e-5);
}

// The mean matters less and less as the variance grows. Every feature here occurs in the
// target, in rows that no weights separate; otherwise the prior alone would decide.
TEST_F(SystemsTest, PriorWithAWideVarianceIsOnlyTarget) {
  data_ = planted_domains(150, 900, 1);
  Options wide{.variance = 1e4, .tolerance = 1e-7};
  const auto only_target = predictions("onlyi", wide);
  wide.source_variance = 0.01;
  EXPECT_LT(largest_difference(predictions("prior", wide), only_target), 1e-3);
}

TEST_F(SystemsTest, InterpolationAtItsEndsIsOneOfTheModels) {
  EXPECT_LT(
      largest_difference(predictions("lini", {.interpolation = 1.0}), predictions("onlyi")),
      1e-12);
  EXPECT_LT(
      largest_difference(predictions("lini", {.interpolation = 0.0}), predictions("onlyo")),
      1e-12);
  EXPECT_THROW(predictions("lini", {.interpolation = 1.5}), UsageError);
}

TEST_F(SystemsTest, EasyAdaptWithoutSpecificVarianceIsMix) {
  const Options none{.tolerance = 1e-7, .specific_variance = 1e-8};
  EXPECT_LT(largest_difference(predictions("easyadapt", none),
                               predictions("mix", {.tolerance = 1e-7})),
            2e-3);
}

TEST_F(SystemsTest, ANameOfVersion01PointsToItsSuccessor) {
  try {
    predictions("megaloo");
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("use 'pool'"));
  }
}

TEST_F(SystemsTest, AFitRefusesValuesOutOfRange) {
  EXPECT_THROW(predictions("megam", {.rounds = 0}), UsageError);
  EXPECT_THROW(predictions("megam", {.beta = {0.5, 2}}), UsageError);
  EXPECT_THROW(predictions("megam", {.prior_exponent = 2}), UsageError);
  EXPECT_THROW(predictions("easyadapt", {.specific_variance = -1}), UsageError);
}

TEST_F(SystemsTest, SourceFeaturesCanBeChosen) {
  const auto labels = predictions("feats", {.source_features = SourceFeatures::labels});
  const auto both = predictions("feats");
  EXPECT_GT(largest_difference(labels, both), 1e-3);
}

TEST_F(SystemsTest, CombinationWeightsAreTheMaximum) {
  Random random(3);
  std::vector<std::vector<double>> p(3, std::vector<double>(200));
  for (auto& member : p) {
    for (double& value : member) value = random.uniform();
  }
  const std::vector<double> weight(200, 1);
  const auto likelihood = [&](const std::vector<double>& w) {
    double sum = 0;
    for (std::size_t n = 0; n < 200; ++n) {
      sum += std::log(w[0] * p[0][n] + w[1] * p[1][n] + w[2] * p[2][n]);
    }
    return sum;
  };
  const auto best = combination_weights(p, weight);
  EXPECT_NEAR(best[0] + best[1] + best[2], 1, 1e-12);
  for (double a = 0; a <= 1; a += 0.05) {
    for (double b = 0; a + b <= 1; b += 0.05) {
      EXPECT_GE(likelihood(best), likelihood({a, b, 1 - a - b}) - 1e-6);
    }
  }
}

TEST_F(SystemsTest, OutOfFoldPredictionsDoNotSeeTheirRow) {
  // A model that has not seen a label cannot predict it.
  Dataset data = planted_domains(0, 30, 4);
  for (std::uint32_t& label : data.label) label = label == 2 ? 1 : label;
  data.label[7] = 2;
  const auto p = out_of_fold(data, 1, {{&find_system("onlyi"), {}}}, 5, 1, {exec_});
  EXPECT_LT(p[0][7], 0.15);
}

TEST_F(SystemsTest, FewTargetRowsAreEnough) {
  for (const std::size_t rows : {1, 2, 5}) {
    data_ = planted_domains(60, rows, 8);
    for (const System* system : systems()) {
      EXPECT_NO_THROW(predictions(std::string(system->name()).c_str())) << system->name();
    }
  }
}

TEST_F(SystemsTest, SystemsThatNeedASourceSaySo) {
  data_ = planted_domains(0, 40, 2);
  for (const char* system : {"lini", "feats", "prior", "easyadapt", "pool", "stack"}) {
    EXPECT_THROW(predictions(system), UsageError) << system;
  }
}

}  // namespace
}  // namespace megadapt
