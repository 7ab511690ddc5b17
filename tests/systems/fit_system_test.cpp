// Class weights and the temperature of probabilities, which work with every system.
#include <gmock/gmock.h>

#include <cmath>

#include "megadapt/classifier.hpp"
#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing_support::planted_domains;

constexpr std::uint32_t kTarget = 1;

class FitSystem : public testing::Test {
 protected:
  std::vector<double> predictions(const Dataset& data, const std::string& system,
                                  const Options& options) const {
    const auto predictor = find_system(system).fit(data, kTarget, options, {exec_});
    std::vector<double> all, p(data.num_labels());
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      predictor->predict(data.rows[n], kTarget, p);
      all.insert(all.end(), p.begin(), p.end());
    }
    return all;
  }
  std::string label(std::uint32_t y) const { return std::string(data_.labels().name(y)); }

  Execution exec_{2};
  Dataset data_ = planted_domains(150, 60, 1);
};

TEST_F(FitSystem, AClassWeightMultipliesTheWeightsOfItsRows) {
  Dataset weighted = data_;
  for (std::size_t n = 0; n < weighted.num_examples(); ++n) {
    if (weighted.label[n] == 1) weighted.weight[n] *= 4;
  }
  Options options;
  options.class_weight.of = {{label(1), 4}};
  for (const System* system : systems()) {
    EXPECT_EQ(predictions(data_, system->name(), options),
              predictions(weighted, system->name(), {}))
        << system->name();
  }
}

// Every label of a domain gets the same total weight, and the domain keeps its own.
TEST_F(FitSystem, BalancedWeightsAreThoseOfEachDomain) {
  std::vector<std::vector<double>> count(2, std::vector<double>(data_.num_labels()));
  std::vector<double> total(2);
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    ++count[data_.domain[n]][data_.label[n]];
    ++total[data_.domain[n]];
  }
  Dataset weighted = data_;
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    const std::uint32_t d = data_.domain[n];
    weighted.weight[n] =
        static_cast<float>(total[d] / (data_.num_labels() * count[d][data_.label[n]]));
  }
  Options options;
  options.class_weight.balanced = true;
  EXPECT_THAT(predictions(data_, "mix", options),
              Pointwise(DoubleNear(1e-6), predictions(weighted, "mix", {})));
}

TEST_F(FitSystem, AnUnknownLabelIsRefused) {
  Options options;
  options.class_weight.of = {{"nolabel", 2}};
  try {
    predictions(data_, "mix", options);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("--class-weight names the unknown label 'nolabel'"));
  }
}

TEST_F(FitSystem, TheTemperatureIsAPowerOfTheProbabilities) {
  for (const System* system : systems()) {
    std::vector<double> expected = predictions(data_, system->name(), {});
    for (std::size_t i = 0; i < expected.size(); i += data_.num_labels()) {
      double sum = 0;
      for (std::size_t y = 0; y < data_.num_labels(); ++y) {
        expected[i + y] = std::pow(expected[i + y], 1 / 1.7);
        sum += expected[i + y];
      }
      for (std::size_t y = 0; y < data_.num_labels(); ++y) expected[i + y] /= sum;
    }
    EXPECT_THAT(predictions(data_, system->name(), {.calibration = 1.7}),
                Pointwise(DoubleNear(1e-12), expected))
        << system->name();
  }
}

// A model with a temperature survives its file, and its explanations add up to what it
// predicts.
TEST_F(FitSystem, ACalibratedModelIsSavedAndExplained) {
  for (const System* system : systems()) {
    SCOPED_TRACE(system->name());
    const Model model =
        train_model(data_, system->name(), "in", {.calibration = 1.7}, {}, {exec_});
    const Model again = load_model(model_bytes(model), "memory");
    for (std::size_t n = 0; n < 20; ++n) {
      const Explanation before = explain(model, data_.rows[n], kTarget);
      const Explanation after = explain(again, data_.rows[n], kTarget);
      EXPECT_EQ(before.probabilities, after.probabilities);
      EXPECT_EQ(before.probabilities, before.model.probabilities);
      EXPECT_EQ(before.model.temperature, 1.7);
      const double odds = std::log(before.probabilities[before.label] /
                                   before.probabilities[before.against]);
      EXPECT_NEAR(before.model.log_odds.total, odds, 1e-6);
      if (!before.model.components.empty()) continue;
      double sum = 0;
      for (const Contribution& term : before.model.log_odds.contributions) {
        sum += term.contribution;
      }
      EXPECT_NEAR(sum, before.model.log_odds.total, 1e-9);
    }
  }
}

}  // namespace
}  // namespace megadapt
