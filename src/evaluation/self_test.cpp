#include "evaluation/self_test.hpp"

#include <cmath>

#include "mega/plant.hpp"
#include "megadapt/evaluation.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {
namespace {

// Fits stop at a relative distance of kFitTolerance from the optimum. Kernels of other
// processors round differently, which moves a few rows that are close to a tie.
constexpr double kFitTolerance = 1e-7;
constexpr double kSameLogLoss = 1e-3;
constexpr double kSameAccuracy = 0.005;

constexpr std::uint32_t kSource = 0, kTarget = 1;
enum : std::uint64_t { kTrainDraw, kTestDraw };

struct Expectation {
  const char* system;
  double accuracy;
  double log_loss;
};

// What `megadapt doctor --json` showed when the task was made. Update these figures only
// after a change that is meant to change what a system learns.
constexpr Expectation kExpected[] = {
    {"onlyi", 0.4610, 1.23164},     {"mix", 0.3840, 1.16450},   {"prior", 0.4570, 1.22838},
    {"easyadapt", 0.4600, 1.26934}, {"megam", 0.4685, 1.13435}, {"pool", 0.4500, 1.04801}};

void add_planted(Dataset& data, const std::vector<PlantedRow>& rows, std::uint32_t domain) {
  RowBuilder builder(data);
  for (const PlantedRow& row : rows) {
    for (const std::uint32_t feature : row.features) builder.add(feature);
    builder.end({.label = row.label, .domain = domain});
  }
}

Dataset planted_training(const PlantedModel& model, const Planting& planting) {
  Dataset data;
  Schema& schema = data.own_schema();
  for (std::uint32_t f = 0; f < planting.markers + planting.words; ++f) {
    schema.features.add(model.feature_name(f));
  }
  for (std::uint32_t y = 0; y < planting.labels; ++y) {
    schema.labels.add(PlantedModel::label_name(y));
  }
  for (const char* domain : {"out", "in"}) schema.domains.add(domain);
  add_planted(data, model.draw_source(planting.source_rows, kTrainDraw), kSource);
  add_planted(data, model.draw_target(planting.target_rows, kTrainDraw), kTarget);
  return data;
}

SelfTest tested(const Expectation& expected, const Predictor& predictor,
                const std::vector<PlantedRow>& rows, std::uint32_t labels) {
  SelfTest test{.system = expected.system,
                .expected_accuracy = expected.accuracy,
                .expected_log_loss = expected.log_loss};
  std::vector<double> probability(labels);
  for (const PlantedRow& row : rows) {
    predictor.predict({.features = row.features, .values = {}}, kTarget, probability);
    test.accuracy += Evaluator::predicted(probability) == row.label;
    test.log_loss -= std::log(probability[row.label]);
  }
  test.accuracy /= static_cast<double>(rows.size());
  test.log_loss /= static_cast<double>(rows.size());
  return test;
}

}  // namespace

bool SelfTest::ok() const {
  return std::abs(accuracy - expected_accuracy) <= kSameAccuracy &&
         std::abs(log_loss - expected_log_loss) <= kSameLogLoss;
}

std::vector<SelfTest> run_self_test(const Execution& exec) {
  const Planting planting{.source_rows = 1000,
                          .target_rows = 300,
                          .test_rows = 2000,
                          .labels = 3,
                          .words = 40,
                          .seed = 25};
  const PlantedModel model(planting);
  const Dataset data = planted_training(model, planting);
  const auto rows = model.draw_target(planting.test_rows, kTestDraw);
  std::vector<SelfTest> tests;
  for (const Expectation& expected : kExpected) {
    const System& system = find_system(expected.system);
    Options options;
    options.tolerance = kFitTolerance;
    options.precision = Precision::double_;
    const PredictorPtr predictor =
        system.fit(data, kTarget, system.completed(options), {.exec = exec});
    tests.push_back(tested(expected, *predictor, rows, planting.labels));
  }
  return tests;
}

}  // namespace megadapt
