#include "megadapt/adapt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "dataset/select_rows.hpp"
#include "megadapt/classifier.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::kIn;
using testing_support::kOut;
using testing_support::planted_domains;

Model model_of(const Dataset& data, const std::string& system, const std::string& target) {
  const Options options{.variance = 1, .tolerance = 1e-8};
  const Execution exec(1);
  return train_model(data, system, target, options, {}, {exec});
}

/// Options with a given variance and an even prior, which are then not tuned.
AdaptOptions given(const std::string& system, double variance, double tolerance = 1e-4) {
  AdaptOptions options{.system = system, .fixed = {"variance", "prior-exponent"}};
  options.base.variance = variance;
  options.base.tolerance = tolerance;
  return options;
}

/// Many rows of "out" to train a model on, and few of "in" to adapt it to.
class Adapt : public testing::Test {
 protected:
  Adapt() : all_(planted_domains(400, 40, 11)), in_(rows_of(kIn)) {}

  Dataset rows_of(std::uint32_t domain) const {
    return select_rows(all_, all_.rows_of(domain));
  }
  Model former(const std::string& system = "mix") const {
    return model_of(system == "mix" ? rows_of(kOut) : all_, system,
                    system == "mix" ? "out" : "in");
  }
  static std::vector<double> probabilities(const Predictor& predictor,
                                           const Dataset& data) {
    std::vector<double> all(data.num_examples() * data.num_labels());
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      predictor.predict(data.rows[n], data.domain[n],
                        std::span(all).subspan(n * data.num_labels(), data.num_labels()));
    }
    return all;
  }
  static void expect_near(const std::vector<double>& a, const std::vector<double>& b,
                          double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
  }

  Dataset all_;
  Dataset in_;
  Execution exec_{1};
};

// The old model's weights were rounded to float, hence the tolerance.
TEST_F(Adapt, PriorIsPriorTrainedOnBothDomains) {
  const Adapted next = adapt_model(former(), in_, given("prior", 0.3, 1e-8), exec_);
  const auto both = find_system("prior").fit(
      all_, kIn, {.variance = 0.3, .tolerance = 1e-8, .source_variance = 1}, {exec_});
  expect_near(probabilities(*next.model.predictor, all_), probabilities(*both, all_), 1e-4);
}

// A prior of hardly any variance keeps the old probabilities, with their temperature.
TEST_F(Adapt, PriorIsCentredOnCalibratedWeights) {
  Options options{.variance = 1, .tolerance = 1e-8};
  options.calibration = 3;
  Model old = train_model(rows_of(kOut), "mix", "out", options, {}, {exec_});
  const std::vector<double> before = probabilities(*old.predictor, in_);
  const Adapted next = adapt_model(std::move(old), in_, given("prior", 1e-9), exec_);
  expect_near(probabilities(*next.model.predictor, in_), before, 1e-4);
}

TEST_F(Adapt, FeatsIsFeatsTrainedOnBothDomains) {
  const Adapted next = adapt_model(former(), in_, given("feats", 0.3, 1e-8), exec_);
  const auto both = find_system("feats").fit(
      all_, kIn, {.variance = 0.3, .tolerance = 1e-8, .source_variance = 1}, {exec_});
  expect_near(probabilities(*next.model.predictor, in_), probabilities(*both, in_), 1e-4);
}

TEST_F(Adapt, LiniAtItsEndsIsTheOldModelOrOnlyi) {
  const Model old = former();
  const auto with_weight = [&](double weight) {
    AdaptOptions options = given("lini", 0.3);
    options.base.interpolation = weight;
    return adapt_model(former(), in_, options, exec_);
  };
  expect_near(probabilities(*with_weight(0).model.predictor, in_),
              probabilities(*old.predictor, in_), 1e-12);
  const auto own = find_system("onlyi").fit(in_, kIn, {.variance = 0.3}, {exec_});
  expect_near(probabilities(*with_weight(1).model.predictor, in_), probabilities(*own, in_),
              1e-12);
}

TEST_F(Adapt, MeasuresTheGainOnRowsThatWereHeldOut) {
  const Adapted next = adapt_model(former(), in_, {}, exec_);
  EXPECT_EQ(next.held_out, in_.num_examples());
  std::vector<std::string> names;
  for (const AdaptScore& score : next.scores) names.push_back(score.system);
  EXPECT_THAT(names, ElementsAre("former", "onlyi", "lini", "feats", "prior"));
  EXPECT_LT(next.score(next.system).held_out.log_loss,
            next.score("onlyi").held_out.log_loss);
  EXPECT_FALSE(next.score("prior").settings.empty());
  EXPECT_THROW(next.score("mix"), UsageError);
}

TEST_F(Adapt, ASystemOfEveryKindSavesAndLoads) {
  for (const std::string old : {"mix", "easyadapt", "lini", "feats", "megam"}) {
    for (const std::string system : {"prior", "feats", "lini"}) {
      if (system == "prior" && old != "mix" && old != "easyadapt") continue;
      const Adapted next = adapt_model(former(old), in_, given(system, 0.3), exec_);
      const std::string path =
          testing::TempDir() +
          fmt::format("continuation_{}_{}_{}.mega", getpid(), old, system);
      save_model(next.model, path);
      const Model loaded = load_model(path);
      std::remove(path.c_str());
      EXPECT_EQ(probabilities(*loaded.predictor, in_),
                probabilities(*next.model.predictor, in_))
          << old << " " << system;
      EXPECT_EQ(loaded.info.target, "in");
      EXPECT_EQ(loaded.info.system, system);
    }
  }
}

TEST_F(Adapt, AnAdaptedModelCanBeAdaptedAgain) {
  for (const std::string system : {"prior", "feats", "lini"}) {
    Adapted once = adapt_model(former(), in_, given(system, 0.3), exec_);
    const Adapted twice =
        adapt_model(std::move(once.model), in_, given("lini", 0.3), exec_);
    for (const double p : probabilities(*twice.model.predictor, in_)) {
      EXPECT_GE(p, 0);
      EXPECT_LE(p, 1 + 1e-12);
    }
    EXPECT_EQ(twice.model.info.domains.size(), 2u);
  }
}

TEST_F(Adapt, LabelsMayBeNew) {
  const std::uint32_t fresh = in_.own_schema().labels.add("new");
  for (std::size_t n = 0; n < in_.num_examples(); n += 4) in_.label[n] = fresh;
  for (const std::string system : {"prior", "feats", "lini"}) {
    const Adapted next = adapt_model(former(), in_, given(system, 1), exec_);
    EXPECT_THAT(next.new_labels, ElementsAre("new"));
    EXPECT_THAT(next.model.labels, ElementsAre("a", "b", "c", "new"));
    const auto p = probabilities(*next.model.predictor, in_);
    double fresh_mass = 0;
    for (std::size_t n = 0; n < in_.num_examples(); ++n) {
      double sum = 0;
      for (std::size_t y = 0; y < 4; ++y) sum += p[4 * n + y];
      EXPECT_NEAR(sum, 1, 1e-9) << system;
      fresh_mass += p[4 * n + 3];
    }
    EXPECT_GT(fresh_mass, 1) << system;
    EXPECT_GT(next.score("former").held_out.log_loss, -std::log(1e-15) / 5);
  }
}

TEST_F(Adapt, RemembersWhereItComesFrom) {
  in_.sources = {{"in.txt", "cd", 40, "in"}};
  AdaptOptions options = given("prior", 1);
  options.former_file = "old.mega";
  options.former_sha256 = "ab";
  const Adapted next = adapt_model(former(), in_, options, exec_);
  const ModelInfo& info = next.model.info;
  EXPECT_THAT(info.options, testing::Contains(testing::Pair("former-sha256", "ab")));
  EXPECT_THAT(info.options, testing::Contains(testing::Pair("former-system", "mix")));
  EXPECT_EQ(info.sources.back().file, "in.txt");
  EXPECT_EQ(info.domains[kIn].examples, 40u);
}

TEST_F(Adapt, ThreadsDoNotChangeTheAnswer) {
  const Adapted one = adapt_model(former(), in_, {}, exec_);
  const Adapted four = adapt_model(former(), in_, {}, Execution(4));
  EXPECT_EQ(one.system, four.system);
  EXPECT_EQ(one.options, four.options);
  EXPECT_EQ(one.score("onlyi").held_out.log_loss, four.score("onlyi").held_out.log_loss);
  EXPECT_EQ(probabilities(*one.model.predictor, in_),
            probabilities(*four.model.predictor, in_));
}

TEST_F(Adapt, OneRowIsEnoughToTrainButNotToMeasure) {
  const Dataset single = select_rows(in_, std::vector<std::size_t>{0});
  const Adapted next = adapt_model(former(), single, {}, exec_);
  EXPECT_EQ(next.held_out, 0u);
  EXPECT_EQ(next.score("onlyi").held_out.examples, 0u);
  EXPECT_EQ(next.model.labels.size(), 3u);
}

TEST_F(Adapt, PredictionsCanBeExplained) {
  in_.label[0] = in_.own_schema().labels.add("new");
  for (const std::string system : {"prior", "feats", "lini"}) {
    const Adapted next = adapt_model(former(), in_, given(system, 0.3), exec_);
    const auto p = probabilities(*next.model.predictor, in_);
    for (std::size_t n = 0; n < 5; ++n) {
      const Explanation why = explain(next.model, in_.rows[n], kIn);
      EXPECT_NEAR(why.model.log_odds.total,
                  std::log(p[4 * n + why.label] / p[4 * n + why.against]), 1e-5)
          << system;
      const Explanation fresh = explain(next.model, in_.rows[n], kIn, {.label = 3});
      EXPECT_TRUE(std::isfinite(fresh.model.log_odds.total)) << system;
    }
  }
}

TEST_F(Adapt, RefusesSystemsThatCannotUseTheOldModel) {
  const auto refusal = [&](const std::string& old, AdaptOptions options) {
    try {
      adapt_model(former(old), in_, options, exec_);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("mix", {.system = "megam"}),
              HasSubstr("megam needs the rows that the old model was trained on"));
  EXPECT_THAT(refusal("mix", {.system = "onlyi"}), HasSubstr("does not use the old model"));
  EXPECT_THAT(refusal("mix", {.system = "priro"}), HasSubstr("did you mean 'prior'?"));
  EXPECT_THAT(refusal("megam", {.system = "prior"}),
              HasSubstr("the old model is a mixture"));
  EXPECT_THAT(refusal("mix", given("", 0)), HasSubstr("--variance"));
  AdaptOptions too_much = given("lini", 1);
  too_much.base.interpolation = 2;
  EXPECT_THAT(refusal("mix", too_much), HasSubstr("--interpolation"));
  in_.weight.assign(in_.num_examples(), 0);
  EXPECT_THAT(refusal("mix", {}), HasSubstr("weight 0"));
}

TEST_F(Adapt, WithoutALinearModelPriorIsLeftOut) {
  const Adapted next = adapt_model(former("megam"), in_, given("", 1), exec_);
  EXPECT_NE(next.system, "prior");
  EXPECT_THAT(next.score("prior").left_out,
              HasSubstr("needs the weights of one linear model"));
}

}  // namespace
}  // namespace megadapt
