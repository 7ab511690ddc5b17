#include <gmock/gmock.h>

#include <set>

#include "evaluation/tuning/thrift.hpp"
#include "megadapt/comparison.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::Contains;
using testing::Pair;
using testing_support::planted_domains;

class TuningTest : public testing::Test {
 protected:
  Tuned tuned(const char* system, const TuneOptions& options = {}) {
    return tune(data_, system, 1, options, exec_);
  }
  static double value(const Tuned& tuned, const std::string& name) {
    for (const auto& [knob, value] : tuned.settings) {
      if (knob == name) return std::stod(value);
    }
    return -1;
  }

  Execution exec_{2};
  Dataset data_ = planted_domains(200, 80, 1);
};

TEST_F(TuningTest, ChoosesTheBestOfWhatItTried) {
  for (const Criterion criterion :
       {Criterion::log_loss, Criterion::accuracy, Criterion::f1}) {
    const Tuned result = tuned("prior", {.folds = 4, .criterion = criterion});
    // The prior of the numbers may make up for one nat, or one of the 80 held-out rows.
    const double prior = 1.0 / 80;
    double best = criterion == Criterion::log_loss ? 1e9 : -1e9;
    double chosen = 0;
    for (const Trial& trial : result.tried) {
      best = criterion == Criterion::log_loss ? std::min(best, trial.score)
                                              : std::max(best, trial.score);
      if (trial.settings == result.settings) chosen = trial.score;
    }
    EXPECT_NEAR(chosen, best, prior);
    EXPECT_GE(result.tried.size() + result.dropped, 5u);
    EXPECT_EQ(result.held_out, 80u);
  }
}

// One fit scores 1, 5 and 20 rounds; each score is the score of a fit with exactly that
// many rounds.
TEST_F(TuningTest, MegamScoresFewerRoundsOnTheWay) {
  TuneOptions options{.folds = 3,
                      .fixed = {"prior-exponent", "variance", "e-step", "centre", "gate",
                                "specific-variance"}};
  const Tuned passing = tuned("megam", options);
  ASSERT_EQ(passing.tried.size(), 3u);
  options.fixed.push_back("rounds");
  for (const Trial& trial : passing.tried) {
    ASSERT_EQ(trial.settings.size(), 1u);
    options.base.rounds = std::stoi(trial.settings[0].second);
    const Tuned alone = tuned("megam", options);
    ASSERT_EQ(alone.tried.size(), 1u);
    EXPECT_EQ(alone.tried[0].log_loss, trial.log_loss) << options.base.rounds;
  }
}

bool tried(const Tuned& result, const Settings& wanted) {
  return std::ranges::any_of(result.tried, [&](const Trial& trial) {
    return std::ranges::all_of(wanted, [&](const auto& setting) {
      return std::ranges::find(trial.settings, setting) != trial.settings.end();
    });
  });
}

TEST_F(TuningTest, MegamHasASecondStartAndOneFor20Rounds) {
  const Tuned result = tuned("megam", {.folds = 3, .effort = Effort::thorough});
  EXPECT_TRUE(
      tried(result, {{"prior-exponent", "0.6"}, {"variance", "1.5"}, {"rounds", "1"}}));
  EXPECT_TRUE(tried(result, {{"prior-exponent", "0.3"},
                             {"variance", "0.3"},
                             {"centre", "zero"},
                             {"rounds", "20"}}));
}

TEST_F(TuningTest, OtherStartsKeepWhatIsFixed) {
  TuneOptions options{.folds = 3, .effort = Effort::quick, .fixed = {"rounds", "centre"}};
  options.base.rounds = 2;
  const Tuned result = tuned("megam", options);
  EXPECT_GT(result.tried.size(), 3u);
  for (const Trial& trial : result.tried) {
    for (const auto& [name, value] : trial.settings) {
      EXPECT_THAT(name, testing::AllOf(testing::Ne("rounds"), testing::Ne("centre")));
    }
  }
  EXPECT_EQ(result.options.rounds, 2);
}

// With annealing the temperature depends on the number of rounds, so a long run does not
// pass through a shorter one.
TEST_F(TuningTest, AnnealedRoundsAreScoredOneByOne) {
  TuneOptions options{.folds = 3,
                      .fixed = {"prior-exponent", "variance", "e-step", "centre", "gate",
                                "specific-variance"}};
  options.base.temperature = 4;
  const Tuned searched = tuned("megam", options);
  options.fixed.push_back("rounds");
  options.base.rounds = 5;
  const double alone = tuned("megam", options).tried[0].log_loss;
  EXPECT_TRUE(std::any_of(searched.tried.begin(), searched.tried.end(),
                          [&](const Trial& trial) { return trial.log_loss == alone; }));
}

TEST_F(TuningTest, TheSpecificVarianceFollowsTheVarianceUntilItsTurn) {
  const Tuned result = tuned(
      "megam",
      {.folds = 3, .fixed = {"rounds", "prior-exponent", "e-step", "centre", "gate"}});
  bool follows = false, has_its_own = false;
  for (const Trial& trial : result.tried) {
    const bool own = std::any_of(
        trial.settings.begin(), trial.settings.end(),
        [](const auto& setting) { return setting.first == "specific-variance"; });
    follows = follows || !own;
    has_its_own = has_its_own || own;
  }
  EXPECT_TRUE(follows);
  EXPECT_TRUE(has_its_own);
}

// One feature, which all 800 rows have: its weights are determined however wide the prior
// is, and each step gains a little less than the previous one.
TEST_F(TuningTest, DoesNotFollowANumberThatHardlyMatters) {
  Dataset plain;
  plain.own_schema().features.add("f");
  plain.own_schema().labels = data_.labels();
  plain.own_schema().domains = data_.domains();
  for (std::uint32_t n = 0; n < 800; ++n) {
    testing_support::add_row(plain, {0}, n % 10 < 7 ? 0 : n % 3, 1);
  }
  data_ = plain;
  const Tuned result = tuned("onlyi", {.folds = 4, .fixed = {"prior-exponent"}});
  EXPECT_LE(result.tried.size(), 6u);
  EXPECT_LT(value(result, "variance"), 30);
}

// With random labels any weight is noise, so a smaller variance is better. With labels that
// a feature gives away, a larger one is better. The search must go beyond its first values.
TEST_F(TuningTest, FollowsAPlantedOptimumBeyondTheFirstValues) {
  for (std::size_t n = 0; n < data_.num_examples(); ++n) data_.label[n] = n % 3;
  EXPECT_LT(value(tuned("onlyi", {.folds = 4}), "variance"), 0.01);
  data_ = planted_domains(200, 80, 1);
  Dataset plain;
  plain.own_schema().features = data_.features();
  plain.own_schema().labels = data_.labels();
  plain.own_schema().domains = data_.domains();
  for (std::uint32_t n = 0; n < 280; ++n) {
    testing_support::add_row(plain, {0, 1 + n % 3}, n % 3, n < 200 ? 0 : 1);
  }
  data_ = plain;
  EXPECT_GT(value(tuned("onlyi", {.folds = 4}), "variance"), 10);
}

// The source's labels are wrong, so its rows should get almost no weight.
TEST_F(TuningTest, LowersTheWeightOfAMisleadingSource) {
  for (std::size_t n = 0; n < 200; ++n) data_.label[n] = (data_.label[n] + 1) % 3;
  const Tuned misled = tuned("mixw", {.folds = 4});
  EXPECT_LT(value(misled, "out-weight"), 0.1);
  data_ = planted_domains(200, 80, 1);
  EXPECT_GT(value(tuned("mixw", {.folds = 4}), "out-weight"), value(misled, "out-weight"));
}

TEST_F(TuningTest, EverySystemIsTheSameForAnyNumberOfThreads) {
  data_ = planted_domains(60, 30, 2);
  for (const System* system : systems()) {
    const TuneOptions options{.folds = 3};
    const Tuned a = tune(data_, system->name(), 1, options, Execution(1));
    const Tuned b = tune(data_, system->name(), 1, options, Execution(4));
    EXPECT_EQ(a.settings, b.settings) << system->name();
    EXPECT_EQ(a.probability, b.probability) << system->name();
    ASSERT_EQ(a.tried.size(), b.tried.size());
    for (std::size_t i = 0; i < a.tried.size(); ++i) {
      EXPECT_EQ(a.tried[i].score, b.tried[i].score);
    }
  }
}

// Choices are tried again after the numbers have been tuned.
TEST_F(TuningTest, ChoicesAreMadeAgainWithTunedNumbers) {
  for (std::size_t n = 0; n < data_.num_examples(); ++n) data_.label[n] = n % 3;
  const Tuned result = tuned("prior", {.folds = 4, .effort = Effort::thorough});
  const auto number = [](const Trial& trial) { return trial.settings[1].second; };
  const auto choice = [](const Trial& trial) { return trial.settings[0].second; };
  ASSERT_EQ(result.settings[0].first, "prior-exponent");
  std::set<std::string> tried_with_tuned;
  for (const Trial& trial : result.tried) {
    if (number(trial) != number(result.tried[0])) tried_with_tuned.insert(choice(trial));
  }
  EXPECT_EQ(tried_with_tuned.size(), 3u);
}

TEST_F(TuningTest, RanksShareTheFoldsOut) {
  data_ = planted_domains(60, 30, 2);
  for (const char* system : {"prior", "pool", "stack"}) {
    for (const bool split : {true, false}) {
      TuneOptions options;
      options.folds = 3;
      if (split) options.dev_fraction = 0.2;
      const Tuned alone = tune(data_, system, 1, options, Execution(1));
      for (const int count : {2, 7}) {
        run_ranks(count, [&](Communicator& ranks) {
          TuneOptions with = options;
          with.ranks = &ranks;
          const Tuned shared = tune(data_, system, 1, with, Execution(1));
          EXPECT_EQ(shared.settings, alone.settings) << system;
          EXPECT_EQ(shared.probability, alone.probability) << system;
        });
      }
    }
  }
}

TEST_F(TuningTest, TheSeedDealsTheSplit) {
  const auto rows = [&](std::uint64_t seed) {
    TuneOptions options;
    options.dev_fraction = 0.2;
    options.base.seed = seed;
    return tuned("onlyi", options).rows;
  };
  EXPECT_EQ(rows(1), rows(1));
  EXPECT_NE(rows(1), rows(2));
  EXPECT_EQ(rows(1).size(), 16u);  // a fifth
}

TEST_F(TuningTest, WhatIsFixedIsNotTuned) {
  TuneOptions options;
  set_option(options.base, "variance", "0.7");
  options.fixed = {"variance"};
  const Tuned result = tuned("prior", options);
  EXPECT_EQ(result.options.variance, 0.7);
  EXPECT_EQ(value(result, "variance"), -1);
  EXPECT_GT(value(result, "source-variance"), 0);
}

// The probabilities come from fits without the row; those of a fit with it would be larger.
TEST_F(TuningTest, ProbabilitiesAreOutOfFold) {
  const Tuned result = tuned("onlyi", {.folds = 5});
  const auto predictor = find_system("onlyi").fit(data_, 1, result.options, {exec_});
  ASSERT_EQ(result.rows.size(), result.probability.size());
  double with = 0, without = 0;
  std::vector<double> p(3);
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    predictor->predict(data_.rows[result.rows[i]], 1, p);
    with += p[data_.label[result.rows[i]]];
    without += result.probability[i];
  }
  EXPECT_GT(with, 1.05 * without);
}

// Compared on the rows that the weights of the stack were fitted to.
TEST_F(TuningTest, StackIsNeverWorseThanItsBestMember) {
  const auto loss = [](const std::vector<double>& p) {
    double sum = 0;
    for (const double value : p) sum -= std::log(value);
    return sum / static_cast<double>(p.size());
  };
  const TuneOptions options{.folds = 4};
  const Tuned stack = tuned("stack", options);
  double best = 1e9;
  double total = 0;
  for (const Member& member : stack.options.members) {
    const Tuned alone = tuned(member.system.c_str(), options);
    EXPECT_EQ(alone.settings, member.settings);
    best = std::min(best, loss(alone.probability));
    total += *member.weight;
  }
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_LE(loss(stack.probability), best + 1e-9);
  // A fit with the tuned members is a combination with their weights.
  const auto predictor = find_system("stack").fit(data_, 1, stack.options, {exec_});
  EXPECT_EQ(predictor->kind(), "combination");
}

TEST_F(TuningTest, FewRowsAreEnough) {
  for (const std::size_t rows : {1, 2, 5}) {
    data_ = planted_domains(60, rows, 8);
    for (const System* system : systems()) {
      const std::string name(system->name());
      for (const bool split : {true, false}) {
        TuneOptions options;
        if (split) options.dev_fraction = 0.2;
        const Tuned result = tuned(name.c_str(), options);
        EXPECT_EQ(result.held_out, rows == 1 ? 0 : split ? 1 : rows) << name;
        EXPECT_EQ(result.tried.empty(), rows == 1 || name == "stack") << name;
        EXPECT_NO_THROW(system->fit(data_, 1, result.options, {exec_})) << name;
      }
    }
  }
}

TEST_F(TuningTest, ALabelMissingInAFoldIsAllowed) {
  for (std::size_t n = 200; n < 279; ++n) data_.label[n] = n % 2;
  data_.label[279] = 2;
  const Tuned result = tuned("onlyi", {.folds = 5});
  for (const Trial& trial : result.tried) EXPECT_TRUE(std::isfinite(trial.log_loss));
}

TEST_F(TuningTest, SourceModelsAreFittedOnceForAllFolds) {
  int fits = 0;
  TuneOptions options;
  options.folds = 5;
  options.on_fit = [&](const MaxentFit&) { ++fits; };
  const Tuned result = tune(data_, "onlyo", 1, options, Execution(1));
  EXPECT_EQ(fits, static_cast<int>(result.tried.size() + result.dropped));
  EXPECT_EQ(result.fits, static_cast<std::size_t>(fits));
}

// The settings may differ where that hardly matters, but their held-out scores agree.
TEST_F(TuningTest, RacingFindsWhatTheFullGridFinds) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    data_ = planted_domains(600, 300, seed);
    for (const char* system : {"onlyi", "mix", "prior"}) {
      const Tuned full = tuned(system, {.effort = Effort::thorough});
      const Tuned raced = tuned(system);
      EXPECT_EQ(full.dropped, 0u);
      EXPECT_GT(raced.dropped, 0u) << system << seed;
      EXPECT_LT(raced.fits, full.fits) << system << seed;
      // Scores both in the same way: on all rows, with the tolerance of the options.
      TuneOptions alike{.effort = Effort::thorough, .base = raced.options};
      for (const auto& [name, value] : raced.settings) alike.fixed.push_back(name);
      const double chosen = tuned(system, alike).tried[0].log_loss;
      alike.base = full.options;
      EXPECT_LT(chosen, 1.01 * tuned(system, alike).tried[0].log_loss) << system << seed;
    }
  }
}

TEST_F(TuningTest, TheSearchMayUseASampleOfTheSource) {
  TuneOptions options;
  options.source_share = 0.25;
  std::size_t rows = 0;
  const Tuned result = tuned("mix", options);
  EXPECT_EQ(result.source_share, 0.25);
  EXPECT_EQ(result.held_out, 80u);
  const std::vector<bool> kept = sample_source(data_, 1, 0.25, 1);
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    if (data_.domain[n] == 1) {
      EXPECT_TRUE(kept[n]);
    } else {
      rows += kept[n];
    }
  }
  EXPECT_EQ(rows, 50u);
  EXPECT_EQ(kept, sample_source(data_, 1, 0.25, 1));
  EXPECT_NE(kept, sample_source(data_, 1, 0.25, 2));
  // A domain stays in the sample even if its rows have no weight.
  Dataset weightless = data_;
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    if (data_.domain[n] != 1) weightless.weight[n] = 0;
  }
  EXPECT_EQ(sample_source(weightless, 1, 0.25, 1), kept);
  EXPECT_EQ(tuned("stack", options).source_share, 0.25);
  // By default a small source is used whole, and a large one is not.
  const Thrift thrift = thrift_of(Effort::normal);
  EXPECT_EQ(source_share(data_, 1, thrift, {}), 1);
  EXPECT_LT(source_share(planted_domains(9000, 80, 1), 1, thrift, {}), 0.5);
  EXPECT_EQ(source_share(planted_domains(9000, 80, 1), 1, thrift_of(Effort::thorough), {}),
            1);
}

// If a tenth of the rows is to count as much as all of them, each row must weigh more.
TEST_F(TuningTest, TheWeightOfASourceRowFollowsTheSample) {
  EXPECT_EQ(weight_in_sample(1, 0.1), 1);
  EXPECT_EQ(weight_in_sample(0.3, 1), 0.3);
  EXPECT_NEAR(weight_in_sample(1e-4, 0.1), 1e-3, 1e-6);
  EXPECT_NEAR(weight_in_sample(weight_in_sample(0.2, 0.1), 10), 0.2, 1e-12);
}

TEST_F(TuningTest, RefusesInvalidOptions) {
  EXPECT_THROW(parse_effort("fast"), UsageError);
  EXPECT_EQ(parse_effort("thorough"), Effort::thorough);

  EXPECT_THROW(tuned("mixx"), UsageError);
  EXPECT_THROW(tuned("mix", {.dev_fraction = 1.5}), UsageError);
  EXPECT_THROW(parse_criterion("acuracy"), UsageError);
  EXPECT_EQ(parse_criterion("accuracy"), Criterion::accuracy);
  Options options;
  EXPECT_THROW(set_option(options, "variance", "-1"), UsageError);
  EXPECT_THROW(set_option(options, "varianz", "1"), UsageError);
  EXPECT_THROW(set_option(options, "gate", "ps"), UsageError);
}

TEST_F(TuningTest, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  exec_.set_stop_flag(&stop);
  EXPECT_THROW(tuned("mix", {.folds = 3}), Interrupted);
}

}  // namespace
}  // namespace megadapt
