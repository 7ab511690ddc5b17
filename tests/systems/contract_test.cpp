// What every system promises. A new system is tested as soon as it is in the registry.
#include <gmock/gmock.h>

#include <filesystem>
#include <numeric>

#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing_support::kIn;
using testing_support::kOut;
using testing_support::planted_domains;
using testing_support::quality;

class ContractTest : public testing::TestWithParam<const System*> {
 protected:
  const System& system() const { return *GetParam(); }
  Model train(const Dataset& data, int threads = 2) const {
    Execution exec(threads);
    return train_model(data, system().name(), "in", {}, {}, {exec});
  }
  static std::vector<double> all_predictions(const Model& model, const Dataset& data) {
    std::vector<double> all;
    std::vector<double> p(model.labels.size());
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      model.predictor->predict(data.rows[n], data.domain[n], p);
      all.insert(all.end(), p.begin(), p.end());
    }
    return all;
  }

  Dataset train_ = planted_domains(300, 60, 1);
  Dataset test_ = planted_domains(0, 500, 2);
};

INSTANTIATE_TEST_SUITE_P(Systems, ContractTest, testing::ValuesIn(systems()),
                         [](const auto& chosen) { return chosen.param->name(); });

TEST_P(ContractTest, PredictsProbabilitiesThatSumToOne) {
  const Model model = train(train_);
  std::vector<double> p(3);
  for (std::size_t n = 0; n < test_.num_examples(); ++n) {
    model.predictor->predict(test_.rows[n], kIn, p);
    ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    ASSERT_THAT(p, testing::Each(testing::AllOf(testing::Ge(0), testing::Le(1))));
  }
}

TEST_P(ContractTest, BeatsTheMajorityClassOnAPlantedProblem) {
  const auto [accuracy, log_loss] = quality(*train(train_).predictor, test_, kIn);
  EXPECT_GT(accuracy, 0.45);  // three labels of one size
  EXPECT_LT(log_loss, std::log(3.0));
}

TEST_P(ContractTest, SurvivesSavingAndLoadingBitForBit) {
  const Model model = train(train_);
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / fmt::format("{}.mega", system().name()))
          .string();
  save_model(model, path);
  const Model loaded = load_model(path);
  EXPECT_EQ(loaded.info.system, system().name());
  EXPECT_EQ(loaded.labels, model.labels);
  EXPECT_EQ(all_predictions(loaded, test_), all_predictions(model, test_));
  std::filesystem::remove(path);
}

TEST_P(ContractTest, IsDeterministicForAnyNumberOfThreads) {
  const auto one = all_predictions(train(train_, 1), test_);
  EXPECT_EQ(all_predictions(train(train_, 1), test_), one);
  EXPECT_EQ(all_predictions(train(train_, 2), test_), one);
  EXPECT_EQ(all_predictions(train(train_, 8), test_), one);
}

TEST_P(ContractTest, RefusesATargetWithoutRows) {
  const Dataset data = planted_domains(100, 0, 3);
  EXPECT_THROW(train(data), UsageError);
}

TEST_P(ContractTest, RefusesASingleLabel) {
  Dataset data = planted_domains(50, 20, 3);
  NameIndex one;
  one.add("a");
  data.own_schema().labels = one;
  std::fill(data.label.begin(), data.label.end(), 0);
  EXPECT_THROW(train(data), UsageError);
}

TEST_P(ContractTest, KnowsAllDomainsInItsModel) {
  const Model model = train(train_);
  ASSERT_EQ(model.info.domains.size(), 2u);
  EXPECT_EQ(model.info.domains[kOut].examples, 300u);
  EXPECT_EQ(model.info.domains[kIn].examples, 60u);
  EXPECT_EQ(model.target(), kIn);
}

}  // namespace
}  // namespace megadapt
