// Every system on several ranks predicts what it predicts on one rank.
#include <gmock/gmock.h>

#include <filesystem>

#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"
#include "support/shares.hpp"
#include "systems/checkpoint.hpp"

namespace megadapt {
namespace {

using testing_support::planted_domains;
using testing_support::uneven_share;

class RanksSystems : public testing::TestWithParam<const System*> {};
INSTANTIATE_TEST_SUITE_P(Systems, RanksSystems, testing::ValuesIn(systems()),
                         [](const auto& chosen) { return chosen.param->name(); });

Options tight_options() {
  Options options;
  options.tolerance = 1e-8;
  options.precision = Precision::double_;
  options.psi_step = PsiStep::lbfgs;
  options.folds = 3;
  return options;
}

std::vector<Model> train_on(const Dataset& data, std::string_view system, int count,
                            const Options& options) {
  std::vector<Model> models(static_cast<std::size_t>(count));
  run_ranks(count, [&](Communicator& ranks) {
    const Execution exec(1, ranks);
    Dataset share = uneven_share(data, ranks);
    if (data.unlabelled) {
      share.unlabelled = std::make_shared<Dataset>(keep_share(*data.unlabelled, ranks));
    }
    models[static_cast<std::size_t>(ranks.rank())] =
        train_model(share, system, "in", options, {}, {exec});
  });
  return models;
}

TEST_P(RanksSystems, PredictTheSame) {
  const Dataset data = planted_domains(150, 40, 1);
  const Dataset test = planted_domains(0, 200, 2);
  Options options = tight_options();
  const Model one = std::move(train_on(data, GetParam()->name(), 1, options)[0]);
  for (const int count : {2, 3, 7}) {
    const auto models = train_on(data, GetParam()->name(), count, options);
    std::vector<double> p(3), q(3);
    for (const Model& model : models) {
      EXPECT_EQ(model.info.domains[0].examples, 150u);
      EXPECT_EQ(model.info.domains[1].examples, 40u);
    }
    for (std::size_t n = 0; n < test.num_examples(); ++n) {
      one.predictor->predict(test.rows[n], 1, p);
      models.back().predictor->predict(test.rows[n], 1, q);
      EXPECT_EQ(std::max_element(p.begin(), p.end()) - p.begin(),
                std::max_element(q.begin(), q.end()) - q.begin());
      for (std::size_t y = 0; y < 3; ++y) EXPECT_NEAR(p[y], q[y], 2e-3);
    }
  }
}

TEST_P(RanksSystems, LearnTheSameFromUnlabelledRows) {
  Dataset data = planted_domains(150, 40, 1);
  auto more = std::make_shared<Dataset>(planted_domains(0, 50, 3));
  std::fill(more->label.begin(), more->label.end(), kNone);
  data.unlabelled = more;
  const Dataset test = planted_domains(0, 100, 2);
  const Options options = tight_options();
  const Model one = std::move(train_on(data, GetParam()->name(), 1, options)[0]);
  const Model three = std::move(train_on(data, GetParam()->name(), 3, options)[2]);
  std::vector<double> p(3), q(3);
  for (std::size_t n = 0; n < test.num_examples(); ++n) {
    one.predictor->predict(test.rows[n], 1, p);
    three.predictor->predict(test.rows[n], 1, q);
    for (std::size_t y = 0; y < 3; ++y) ASSERT_NEAR(p[y], q[y], 5e-3);
  }
}

TEST(Ranks, AMissingSourceThrowsOnEveryRank) {
  const Dataset data = planted_domains(0, 40, 1);
  EXPECT_THROW(train_on(data, "prior", 3, {}), UsageError);
}

// A training that is stopped after a round and resumed ends with the same bits.
TEST(Checkpoints, AreResumedInTheMiddleOfTraining) {
  const std::string path = testing::TempDir() + "/megadapt-middle-checkpoint.mega";
  const Dataset data = planted_domains(150, 40, 1);
  const Execution exec(2);
  Options options;
  options.rounds = 4;
  for (const EStep e_step : {EStep::training, EStep::leave_one_out, EStep::cross_fit}) {
    options.e_step = {.how = e_step};
    const auto whole = model_bytes(train_model(data, "megam", "in", options, {}, {exec}));
    for (int stop_after = 1; stop_after < options.rounds; ++stop_after) {
      std::filesystem::remove(path);
      FitContext stopped{.exec = exec, .checkpoint = path};
      int rounds = 0;
      stopped.on_progress = [&](const Progress&) {
        if (++rounds > stop_after) throw Interrupted();
      };
      EXPECT_THROW(train_model(data, "megam", "in", options, {}, stopped), Interrupted);
      FitContext resumed{.exec = exec, .checkpoint = path};
      int first_round = 0;
      resumed.on_step = [&](const MixtureStep& step) {
        if (first_round == 0) first_round = step.round;
      };
      EXPECT_EQ(model_bytes(train_model(data, "megam", "in", options, {}, resumed)), whole);
      EXPECT_GT(first_round, 1);
      EXPECT_LE(first_round, options.rounds);
    }
  }
  std::filesystem::remove(path);
}

// Any number of ranks can read the state of the rows in a checkpoint.
TEST(Ranks, ACheckpointGoesOnWithAnotherNumberOfRanks) {
  const std::string path = testing::TempDir() + "/megadapt-ranks-checkpoint.mega";
  const Dataset data = planted_domains(150, 40, 1);
  for (const EStep e_step : {EStep::training, EStep::cross_fit}) {
    std::filesystem::remove(path);
    Options options = tight_options();
    options.rounds = 4;
    options.e_step = {.how = e_step};
    const auto train = [&](int count, int stop_after) {
      double objective = 0;
      run_ranks(count, [&](Communicator& ranks) {
        const Execution exec(1, ranks);
        FitContext context{.exec = exec, .checkpoint = path};
        context.on_fit = [&](const MaxentFit& fit) {
          if (ranks.rank() == 0) objective = fit.objective;
        };
        int rounds = 0;
        context.on_progress = [&](const Progress&) {
          if (++rounds == stop_after) throw Interrupted();
        };
        train_model(keep_share(data, ranks), "megam", "in", options, {}, context);
      });
      return objective;
    };
    EXPECT_THROW(train(4, 3), Interrupted);
    ASSERT_TRUE(std::filesystem::exists(path));
    const double resumed = train(2, 0);
    std::filesystem::remove(path);
    const double whole = train(2, 0);
    EXPECT_NEAR(resumed, whole, 1e-6 * std::abs(whole));
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace megadapt
