// The laws of the log-linear pool (docs/derivation.md §7).
#include "systems/pool.hpp"

#include <gmock/gmock.h>

#include "dataset/folds.hpp"
#include "mega/mixture_problems.hpp"
#include "support/plain_fit.hpp"
#include "support/planted_domains.hpp"
#include "systems/feature_copies.hpp"
#include "systems/fit_memory.hpp"

namespace megadapt {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;
using testing_support::holds;
using testing_support::kIn;
using testing_support::kOut;
using testing_support::most_apart;
using testing_support::planted_domains;
using testing_support::quality;
using testing_support::random_problem;

class PoolTest : public testing::Test {
 protected:
  static Options exact() {
    Options options;
    options.tolerance = 1e-12;
    options.precision = Precision::double_;
    options.specific_variance = 0.3;
    options.prior_exponent = 0.3;
    return options;
  }
  std::vector<double> predictions(const char* system, const Options& options) const {
    return predictions(*find_system(system).fit(data_, kIn, options, {exec_}));
  }
  std::vector<double> predictions(const Predictor& predictor,
                                  std::uint32_t domain = kIn) const {
    std::vector<double> all, p(3);
    for (std::size_t n = 0; n < data_.num_examples(); ++n) {
      predictor.predict(data_.rows[n], domain, p);
      all.insert(all.end(), p.begin(), p.end());
    }
    return all;
  }
  std::vector<double> found_weights(const Options& options = {}) const {
    std::vector<double> weights;
    FitContext context{.exec = exec_};
    context.on_members = [&](const std::vector<Member>& members) {
      for (const Member& member : members) weights.push_back(*member.weight);
    };
    find_system("pool").fit(data_, kIn, options, context);
    return weights;
  }
  /// Prior as the pool fits it: the deviation has the specific variance.
  static Options prior_options(const Options& pool) {
    Options prior = pool;
    prior.variance = *pool.specific_variance;
    prior.source_variance = pool.variance;
    return prior;
  }

  Execution exec_{2};
  Dataset data_ = planted_domains(150, 60, 1);
};

std::vector<double> random_numbers(std::size_t count, Random& random) {
  std::vector<double> numbers(count);
  for (double& number : numbers) number = 4 * random.uniform() - 2;
  return numbers;
}

std::vector<double> softmax_of(RowView row, const std::vector<double>& weights,
                               std::size_t Y) {
  std::vector<double> p(Y);
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    const double x = row.values.empty() ? 1 : static_cast<double>(row.values[i]);
    for (std::size_t y = 0; y < Y; ++y) p[y] += x * weights[row.features[i] * Y + y];
  }
  double sum = 0;
  for (double& score : p) sum += score = std::exp(score);
  for (double& score : p) score /= sum;
  return p;
}

TEST_F(PoolTest, PooledWeightsPredictTheProductOfTheMembers) {
  EXPECT_TRUE(holds(20, [](std::uint64_t seed) {
    const Dataset data = random_problem(seed);
    const std::size_t Y = data.num_labels();
    Random random(seed);
    std::vector<std::vector<double>> lambda;
    for (int m = 0; m < 3; ++m) {
      lambda.push_back(random_numbers(data.num_features() * Y, random));
    }
    const std::vector<double> w = random_numbers(3, random);
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      std::vector<double> product(Y, 1);
      for (std::size_t m = 0; m < 3; ++m) {
        const auto p = softmax_of(data.rows[n], lambda[m], Y);
        for (std::size_t y = 0; y < Y; ++y) product[y] *= std::pow(p[y], w[m]);
      }
      double sum = 0;
      for (const double p : product) sum += p;
      for (double& p : product) p /= sum;
      RC_ASSERT(most_apart(softmax_of(data.rows[n], pooled(lambda, w), Y), product) <
                1e-12);
    }
  }));
}

UnseenScores random_scores(std::uint64_t seed, std::size_t members) {
  Random random(seed);
  UnseenScores scores;
  scores.num_labels = 2 + random.below(3);
  const std::size_t rows = 20 + random.below(60);
  for (std::size_t n = 0; n < rows; ++n) {
    scores.label.push_back(random.below(scores.num_labels));
    scores.weight.push_back(random.uniform() < 0.2 ? 0 : 2 * random.uniform());
  }
  for (std::size_t m = 0; m < members; ++m) {
    scores.score.push_back(random_numbers(rows * scores.num_labels, random));
    for (std::size_t n = 0; n < rows; ++n) {  // members know something
      scores.score[m][n * scores.num_labels + scores.label[n]] += static_cast<double>(m);
    }
  }
  return scores;
}

// The objective of docs/derivation.md §7, summed literally.
double pool_objective(const UnseenScores& scores, const std::vector<double>& w) {
  double sum = 0;
  for (const double weight : w) {
    const double distance = weight - 1 / static_cast<double>(w.size());
    sum += distance * distance / (2 * 0.05);
  }
  const std::size_t Y = scores.num_labels;
  for (std::size_t n = 0; n < scores.label.size(); ++n) {
    std::vector<double> pooled_score(Y);
    double z = 0;
    for (std::size_t y = 0; y < Y; ++y) {
      for (std::size_t m = 0; m < w.size(); ++m) {
        pooled_score[y] += w[m] * scores.score[m][n * Y + y];
      }
      z += std::exp(pooled_score[y]);
    }
    sum += scores.weight[n] * (std::log(z) - pooled_score[scores.label[n]]);
  }
  return sum;
}

TEST_F(PoolTest, WeightsAreTheMinimum) {
  EXPECT_TRUE(holds(30, [](std::uint64_t seed) {
    const std::size_t members = 2 + seed % 3;
    const UnseenScores scores = random_scores(seed, members);
    const std::vector<double> w = pool_weights(scores);
    const double least = pool_objective(scores, w);
    for (std::size_t m = 0; m < members; ++m) {
      for (const double step : {-1e-3, 1e-3}) {
        std::vector<double> other = w;
        other[m] += step;
        RC_ASSERT(pool_objective(scores, other) > least);
      }
    }
  }));
}

TEST_F(PoolTest, WeightsWithoutRowsAreEven) {
  UnseenScores none;
  none.num_labels = 3;
  none.score.resize(3);
  EXPECT_EQ(pool_weights(none), std::vector<double>(3, 1.0 / 3));
}

TEST_F(PoolTest, WithOneMemberIsThatMember) {
  Options alone = exact();
  alone.members = {{.system = "mix", .settings = {}}};
  EXPECT_LT(most_apart(predictions("pool", alone), predictions("mix", exact())), 1e-5);

  const Options prior = prior_options(exact());
  alone.members = {
      {.system = "prior", .settings = {{"variance", "0.3"}, {"source-variance", "1"}}}};
  EXPECT_LT(most_apart(predictions("pool", alone), predictions("prior", prior)), 1e-5);

  // The pool's EasyAdapt has no copies for the source.
  alone.members = {{.system = "easyadapt", .settings = {}}};
  const FeatureCopies copies(data_, {kIn}, exact(), exec_);
  const std::vector<double> row_weight(data_.weight.begin(), data_.weight.end());
  const MaxentPredictor expert(
      3, copies.expert(copies.fit(row_weight, {}, 1e-12, {exec_}), 0));
  EXPECT_LT(most_apart(predictions("pool", alone), predictions(expert)), 1e-5);
}

TEST_F(PoolTest, GivenWeightsAreUsed) {
  Options given = exact();
  given.members = {{.system = "mix", .settings = {}, .weight = 1.0},
                   {.system = "easyadapt", .settings = {}, .weight = 0.0}};
  EXPECT_LT(most_apart(predictions("pool", given), predictions("mix", exact())), 1e-5);
}

TEST_F(PoolTest, PredictsTheNormalisedProductOfItsMembers) {
  const Options options = exact();
  const auto w = found_weights(options);
  ASSERT_EQ(w.size(), 3u);
  const FeatureCopies copies(data_, {kIn}, options, exec_);
  const std::vector<double> row_weight(data_.weight.begin(), data_.weight.end());
  const MaxentPredictor expert(
      3, copies.expert(copies.fit(row_weight, {}, 1e-12, {exec_}), 0));
  const std::vector<std::vector<double>> members = {
      predictions("mix", options), predictions("prior", prior_options(options)),
      predictions(expert)};
  const auto pool = predictions("pool", options);
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    std::vector<double> product(3, 1);
    double sum = 0;
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t m = 0; m < 3; ++m) {
        product[y] *= std::pow(members[m][3 * n + y], w[m]);
      }
      sum += product[y];
    }
    for (std::size_t y = 0; y < 3; ++y) {
      EXPECT_NEAR(pool[3 * n + y], product[y] / sum, 1e-5);
    }
  }
}

// Labels of a fold change neither the fits without it nor their information priors: the
// fold's scores keep every bit.
TEST_F(PoolTest, ScoresOfAFoldDoNotDependOnItsLabels) {
  const Options options{.prior_exponent = 0.6, .specific_variance = 0.3};
  const auto own = data_.rows_of(kIn);
  const auto fold = deal_folds(data_, own, 5, options.seed);
  const auto members = pool_members(options);
  const auto before = unseen_scores(data_, kIn, members, options, {exec_});
  ASSERT_TRUE(before);
  for (const std::uint32_t held_out : {0u, 3u}) {
    Dataset other = data_;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (fold[i] == held_out) other.label[own[i]] = (data_.label[own[i]] + 1) % 3;
    }
    const auto after = unseen_scores(other, kIn, members, options, {exec_});
    bool some_differ = false;
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        for (std::size_t y = 0; y < 3; ++y) {
          const bool same = before->score[m][3 * i + y] == after->score[m][3 * i + y];
          if (fold[i] == held_out) {
            EXPECT_TRUE(same) << m << " " << i;
          } else {
            some_differ |= !same;
          }
        }
      }
    }
    EXPECT_TRUE(some_differ);
  }
}

// The scores are those of fits on data without the fold.
TEST_F(PoolTest, ScoresAreThoseOfFitsWithoutTheFold) {
  const Options options = exact();
  const auto own = data_.rows_of(kIn);
  const auto fold = deal_folds(data_, own, 5, options.seed);
  const auto unseen = unseen_scores(data_, kIn, pool_members(options), options, {exec_});
  Dataset rest = data_;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (fold[i] == 2) rest.weight[own[i]] = 0;
  }
  const auto mix = find_system("mix").fit(rest, kIn, options, {exec_});
  const auto prior = find_system("prior").fit(rest, kIn, prior_options(options), {exec_});
  std::vector<double> p(3);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (fold[i] != 2) continue;
    for (const auto& [m, predictor] :
         {std::pair(0, mix.get()), std::pair(1, prior.get())}) {
      predictor->predict(data_.rows[own[i]], kIn, p);
      const double* score = unseen->score[static_cast<std::size_t>(m)].data() + 3 * i;
      for (std::size_t y = 1; y < 3; ++y) {
        EXPECT_NEAR(std::log(p[y] / p[0]), score[y] - score[0], 1e-3);
      }
    }
  }
}

// The time of a fit is proportional to its passes over the rows. Mix has all rows, so it
// must start from EasyAdapt's weights if there are any, not from the source's.
TEST_F(PoolTest, MixStartsNearerThanTheSource) {
  data_ = planted_domains(2000, 200, 1);
  std::vector<MaxentFit> fits;
  FitContext context{.exec = exec_};
  context.on_fit = [&](const MaxentFit& fit) { fits.push_back(fit); };
  const Options options{.prior_exponent = 0.3, .specific_variance = 0.3};
  find_system("pool").fit(data_, kIn, options, context);
  ASSERT_EQ(fits.size(), 4u);  // the source, Prior, EasyAdapt, Mix

  context.warm_starts = std::make_shared<WarmStarts>();
  context.warm_starts->weights = *fit_source(data_, data_.rows_of(kOut), options, {exec_});
  find_system("mix").fit(data_, kIn, options, context);
  const MaxentFit from_source = fits.back();
  fits.pop_back();
  const auto apart = [&](const MaxentFit& fit) {
    return std::abs(fit.objective - from_source.objective);
  };
  const auto mix = std::min_element(
      fits.begin(), fits.end(),
      [&](const MaxentFit& a, const MaxentFit& b) { return apart(a) < apart(b); });
  EXPECT_LT(apart(*mix), 1e-3 * from_source.objective);
  EXPECT_LT(mix->passes, from_source.passes);
}

TEST_F(PoolTest, TooFewRowsGiveEvenWeights) {
  const std::vector<double> even(3, 1.0 / 3);
  data_ = planted_domains(60, 3, 1);
  EXPECT_EQ(found_weights(), even);
  data_ = planted_domains(60, 4, 1);
  EXPECT_NE(found_weights(), even);
  // One document cannot be dealt into two folds.
  data_ = planted_domains(60, 20, 1);
  data_.own_groups().add("document");
  data_.group.assign(data_.num_examples(), 0);
  EXPECT_EQ(found_weights(), even);
}

TEST_F(PoolTest, RowsOfEveryDomainArePredictedByTheTargetsWeights) {
  const auto pool = find_system("pool").fit(data_, kIn, {}, {exec_});
  EXPECT_EQ(predictions(*pool, kOut), predictions(*pool, kIn));
  EXPECT_EQ(pool->kind(), "maxent");
}

TEST_F(PoolTest, SeveralSourcesCountAsOne) {
  Dataset three = data_;
  three.own_schema().domains.add("third");
  for (std::size_t n = 0; n < 70; ++n) three.domain[n] = 2;
  const auto a = find_system("pool").fit(data_, kIn, {}, {exec_});
  const auto b = find_system("pool").fit(three, kIn, {}, {exec_});
  EXPECT_EQ(predictions(*a), predictions(*b));
}

TEST_F(PoolTest, ModelsRecordTheMembersAndTheirWeights) {
  const Model model = train_model(data_, "pool", "in", {.variance = 0.5}, {}, {exec_});
  std::vector<std::string> members;
  for (const auto& [name, value] : model.info.options) {
    if (name == "member") members.push_back(value);
  }
  ASSERT_EQ(members.size(), 3u);
  const auto w = found_weights({.variance = 0.5});
  EXPECT_EQ(members[0], fmt::format("mix weight={} variance=0.5 prior-exponent=0", w[0]));
  EXPECT_EQ(members[1],
            fmt::format("prior weight={} variance=0.3 prior-exponent=0 source-variance=0.5",
                        w[1]));
  EXPECT_THAT(members[2], HasSubstr("easyadapt weight="));
  EXPECT_THAT(model.info.options, Contains(Pair("specific-variance", "0.3")));
}

TEST_F(PoolTest, TakesSettingsOfItsMembers) {
  const System& pool = find_system("pool");
  Options options;
  pool.apply({{"mix.variance", "2"}, {"prior.source-variance", "0.1"}}, options);
  const auto members = pool_members(pool.completed(options));
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].options.variance, 2);
  EXPECT_EQ(members[1].options.source_variance, 0.1);
  EXPECT_EQ(members[2].options.variance, 1);
  EXPECT_THROW(pool.apply({{"variance", "2"}}, options), UsageError);
  EXPECT_THROW(pool.apply({{"onlyi.variance", "2"}}, options), UsageError);
  EXPECT_THROW(pool.apply({{"mix.variance", "-2"}}, options), UsageError);
  options.members = {{.system = "megam", .settings = {}}};
  EXPECT_THROW(pool_members(options), UsageError);
}

// Refits with unlabelled rows start where the last fit ended.
TEST_F(PoolTest, ASecondFitStartsWhereTheFirstEnded) {
  const System& pool = find_system("pool");
  int passes = 0;
  FitContext context{.exec = exec_};
  context.on_fit = [&](const MaxentFit& fit) { passes += fit.passes; };
  context.mixing = std::make_shared<MixingWeights>();
  context.source_fits = std::make_shared<SourceFits>();
  const auto cold = predictions(*pool.fit(data_, kIn, exact(), context));
  context.warm_starts = std::make_shared<WarmStarts>();
  passes = 0;
  EXPECT_EQ(predictions(*pool.fit(data_, kIn, exact(), context)), cold);
  const int first = passes;
  passes = 0;
  const auto again = predictions(*pool.fit(data_, kIn, exact(), context));
  EXPECT_THAT(again, testing::Pointwise(testing::DoubleNear(1e-5), cold));
  EXPECT_LT(2 * passes, first);
}

// The folds that find the members' weights start cold: a start from a fit to all rows would
// know the held-out ones.
TEST_F(PoolTest, TheWeightsOfMembersDoNotDependOnWarmStarts) {
  std::vector<std::vector<double>> found;
  FitContext context{.exec = exec_};
  context.warm_starts = std::make_shared<WarmStarts>();
  context.on_members = [&](const std::vector<Member>& members) {
    std::vector<double>& weights = found.emplace_back();
    for (const Member& member : members) weights.push_back(member.weight.value());
  };
  for (int i = 0; i < 2; ++i) find_system("pool").fit(data_, kIn, exact(), context);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], found[1]);
}

// If features conflict in the source, the target's own rows must decide.
TEST_F(PoolTest, IsAboutAsGoodAsItsBestMember) {
  data_ = planted_domains(600, 150, 4);
  const Dataset test = planted_domains(0, 1000, 5);
  double best = 1e9;
  for (const char* system : {"mix", "prior", "easyadapt"}) {
    const auto fitted = find_system(system).fit(data_, kIn, {}, {exec_});
    best = std::min(best, quality(*fitted, test, kIn).log_loss);
  }
  const auto pool = find_system("pool").fit(data_, kIn, {}, {exec_});
  EXPECT_LT(quality(*pool, test, kIn).log_loss, best * 1.02);
}

}  // namespace
}  // namespace megadapt
