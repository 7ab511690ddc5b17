// Rows on several ranks give the same sums, fits and mixtures as on one.
#include <gmock/gmock.h>

#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent_objective.hpp"
#include "support/shares.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;
using testing_support::all_rows;
using testing_support::exact_options;
using testing_support::random_data;
using testing_support::random_options;
using testing_support::random_problem;
using testing_support::uneven_share;

class RanksTraining : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Counts, RanksTraining, testing::Values(1, 2, 3, 7));

/// The objective, its gradient, its curvature along a direction, and H's diagonal.
struct Evaluation {
  double value = 0;
  double curvature = 0;
  std::vector<double> gradient, diagonal;
};

Evaluation evaluate(const Dataset& data, const Execution& exec) {
  const std::uint32_t stride = label_stride(data.num_labels());
  const auto rows = all_rows(data);
  const TiledRows tiles(data.rows,
                        separate_columns(data.rows, data.num_features(), rows, exec), rows,
                        stride, exec);
  const std::vector<double> weight(data.weight.begin(), data.weight.end());
  MaxentObjective<double> objective(tiles, data.label, weight, data.num_labels(), 0.7, {},
                                    {}, exec);
  Random random(5);
  std::vector<double> point(objective.dimension()), direction(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (i % stride >= data.num_labels()) continue;
    point[i] = random.uniform() - 0.5;
    direction[i] = random.uniform() - 0.5;
  }
  Evaluation result;
  result.gradient.resize(point.size());
  result.diagonal.resize(point.size());
  result.value = objective.value(point);
  objective.gradient(point, result.gradient);
  objective.hessian_diagonal(result.diagonal);
  std::vector<double> product(point.size());
  result.curvature = objective.hessian_product(direction, product);
  return result;
}

TEST_P(RanksTraining, ObjectiveAndGradientAreThoseOfOneRank) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Dataset data = random_problem(seed);
    const Evaluation alone = evaluate(data, Execution(1));
    std::vector<Evaluation> found(static_cast<std::size_t>(GetParam()));
    run_ranks(GetParam(), [&](Communicator& ranks) {
      found[static_cast<std::size_t>(ranks.rank())] =
          evaluate(uneven_share(data, ranks), Execution(1, ranks));
    });
    const auto near = [](double a, double b) {
      return std::abs(a - b) <= 1e-10 * (1 + std::abs(b));
    };
    for (const Evaluation& each : found) {
      EXPECT_TRUE(near(each.value, alone.value)) << each.value << " " << alone.value;
      EXPECT_TRUE(near(each.curvature, alone.curvature));
      ASSERT_EQ(each.gradient.size(), alone.gradient.size());
      for (std::size_t i = 0; i < alone.gradient.size(); ++i) {
        EXPECT_TRUE(near(each.gradient[i], alone.gradient[i])) << i;
        EXPECT_TRUE(near(each.diagonal[i], alone.diagonal[i])) << i;
      }
      EXPECT_EQ(each.gradient, found[0].gradient);  // ranks must have equal bits
      EXPECT_EQ(each.curvature, found[0].curvature);
    }
  }
}

/// The mixture that each rank ends with, and the objective after each step on rank 0.
struct Trained {
  std::vector<Mixture> mixture;
  std::vector<double> objective;
};

Trained train(const Dataset& data, MixtureOptions options, int count) {
  Trained trained;
  trained.mixture.resize(static_cast<std::size_t>(count));
  run_ranks(count, [&](Communicator& ranks) {
    MixtureOptions own = options;
    own.on_step = [&](const MixtureStep& step) {
      if (ranks.rank() == 0) trained.objective.push_back(step.objective);
    };
    trained.mixture[static_cast<std::size_t>(ranks.rank())] =
        fit_mixture(uneven_share(data, ranks), own, Execution(1, ranks));
  });
  return trained;
}

std::vector<std::uint32_t> predicted(const Dataset& data, const Mixture& mixture) {
  const MixturePredictor predictor(data.num_labels(), mixture);
  std::vector<std::uint32_t> labels;
  std::vector<double> p(data.num_labels());
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    predictor.predict(data.rows[n], data.domain[n], p);
    labels.push_back(
        static_cast<std::uint32_t>(std::max_element(p.begin(), p.end()) - p.begin()));
  }
  return labels;
}

TEST_P(RanksTraining, MixturesReachTheObjectiveOfOneRank) {
  for (const Gate gate : {Gate::presence, Gate::logistic}) {
    for (const std::uint64_t seed : {11, 12, 13}) {
      const Dataset data = random_problem(seed);
      MixtureOptions options = random_options(seed, 2);
      options.gate = gate;
      options.psi_step = PsiStep::lbfgs;
      const Trained one = train(data, options, 1);
      const Trained many = train(data, options, GetParam());
      ASSERT_EQ(many.objective.size(), one.objective.size());
      for (std::size_t i = 0; i < one.objective.size(); ++i) {
        const double scale = std::abs(one.objective[i]);
        EXPECT_NEAR(many.objective[i], one.objective[i], 1e-7 * scale);
        if (i > 0) {
          EXPECT_GE(many.objective[i], many.objective[i - 1] - 1e-9 * scale);
        }
      }
      EXPECT_EQ(predicted(data, many.mixture[0]), predicted(data, one.mixture[0]));
      for (const Mixture& each : many.mixture) {
        EXPECT_EQ(each.general.weights, many.mixture[0].general.weights);
        EXPECT_EQ(each.general.presence, many.mixture[0].general.presence);
        EXPECT_EQ(each.gate.weights, many.mixture[0].gate.weights);
      }
    }
  }
}

TEST_P(RanksTraining, LeaveOneOutIsThatOfOneRank) {
  const Dataset data = random_problem(21);
  MixtureOptions options = exact_options();
  options.psi_step = PsiStep::lbfgs;
  options.e_step = EStep::leave_one_out;
  options.centre = Centre::general;
  const Trained one = train(data, options, 1);
  const Trained many = train(data, options, GetParam());
  // The Hessian's diagonal is summed in single precision.
  EXPECT_NEAR(many.mixture[0].objective, one.mixture[0].objective,
              1e-5 * std::abs(one.mixture[0].objective));
}

// A group is left out as a whole, whichever ranks its rows are on.
TEST_P(RanksTraining, CrossFittingIsThatOfOneRank) {
  Dataset data = random_problem(22);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    data.group.push_back(data.own_groups().add(fmt::format("g{}", n / 3)));
  }
  MixtureOptions options = exact_options();
  options.psi_step = PsiStep::lbfgs;
  options.e_step = EStep::cross_fit;
  const Trained one = train(data, options, 1);
  const Trained many = train(data, options, GetParam());
  const double objective = one.mixture[0].objective;
  for (const Mixture& each : many.mixture) {
    EXPECT_NEAR(each.objective, objective, 1e-5 * std::abs(objective));
    EXPECT_EQ(each.general_share, many.mixture[0].general_share);
    for (std::size_t d = 0; d < each.general_share.size(); ++d) {
      EXPECT_NEAR(each.general_share[d], one.mixture[0].general_share[d], 1e-3);
    }
  }
  EXPECT_EQ(predicted(data, many.mixture[0]), predicted(data, one.mixture[0]));
}

TEST(Ranks, CannotSweep) {
  const Dataset data = random_problem(1);
  try {
    train(data, exact_options(), 2);
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--psi-step lbfgs"));
  }
}

}  // namespace
}  // namespace megadapt
