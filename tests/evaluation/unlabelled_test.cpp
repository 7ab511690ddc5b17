// How tuning and comparison use unlabelled rows: never with the text of a held-out row.
#include "evaluation/tuning/unlabelled.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "dataset/select_rows.hpp"
#include "evaluation/curves/curve_fits.hpp"
#include "support/planted_domains.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::kIn;
using testing_support::planted_domains;
using testing_support::planted_sequences;

// The rows of `data` without their labels.
std::shared_ptr<const Dataset> bare(const Dataset& data, RowIds rows) {
  auto chosen = std::make_shared<Dataset>(select_rows(data, rows));
  std::fill(chosen->label.begin(), chosen->label.end(), kNone);
  return chosen;
}

TEST(Unlabelled, RowsOfHeldOutTextsAreLeftOut) {
  const Dataset data = planted_domains(0, 60, 1);
  const Dataset other = planted_domains(0, 40, 2);
  const auto rows = bare(other, all_rows(other));
  const std::vector<std::size_t> held_out{3, 7, 9};
  EXPECT_EQ(unlabelled_without(rows, data, held_out), rows);  // nothing in common
  const auto own = bare(data, all_rows(data));
  const auto left = unlabelled_without(own, data, held_out);
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->num_examples(), 57u);
  EXPECT_EQ(unlabelled_without(own, data, all_rows(data)), nullptr);
}

TEST(Unlabelled, SentencesAreLeftOutAsAWhole) {
  const Dataset data = planted_sequences(0, 20, 1);
  Dataset copy = data;  // as if another tagger had tagged it
  for (std::uint32_t& label : copy.label) label = 0;
  const auto own = bare(copy, all_rows(copy));
  std::vector<std::size_t> held_out;
  for (std::size_t n = data.sentence_begin[2]; n < data.sentence_begin[4]; ++n) {
    held_out.push_back(n);
  }
  const auto left = unlabelled_without(own, data, held_out);
  ASSERT_NE(left, nullptr);
  EXPECT_LE(left->num_examples(), own->num_examples() - held_out.size());
  EXPECT_LE(left->sentence_begin.size(), own->sentence_begin.size() - 2);
}

class UnlabelledTuning : public testing::Test {
 protected:
  Tuned tuned(const Dataset& data, const char* system = "prior") const {
    return tune(data, system, kIn, {.folds = 4}, exec_);
  }
  static Dataset with(Dataset data, const Dataset& more) {
    data.unlabelled = bare(more, all_rows(more));
    return data;
  }

  Execution exec_{2};
  Dataset data_ = planted_domains(200, 60, 1);
};

// A planted leak: the unlabelled rows are the labelled target rows themselves. In a fold,
// held-out rows must be left out of the unlabelled rows, so the fit must equal a fit with
// the remaining ones.
TEST_F(UnlabelledTuning, AHeldOutRowIsNotAmongTheUnlabelledRowsOfItsFold) {
  const Dataset target = select_rows(data_, data_.rows_of(kIn));
  const Dataset leaky = with(data_, target);
  const Tuned with_leak = tuned(leaky);
  // Repeat the same folds by hand.
  const std::vector<Split> splits = target_folds(data_, kIn, 4, 1);
  Options options = with_leak.options;
  options.unlabelled_weight = 0.3;
  options.sharpen = 3;
  for (const Split& split : splits) {
    Dataset train = select_rows(leaky, split.train);
    train.unlabelled = unlabelled_without(leaky.unlabelled, leaky, split.held_out);
    ASSERT_NE(train.unlabelled, nullptr);
    EXPECT_EQ(train.unlabelled->num_examples(), 60 - split.held_out.size());
    Dataset frozen = train;
    frozen.unlabelled = leaky.unlabelled;
    const System& prior = find_system("prior");
    const auto clean = prior.fit(train, kIn, options, {exec_});
    const auto leaked = prior.fit(frozen, kIn, options, {exec_});
    EXPECT_NE(predict_rows(*clean, leaky, split.held_out, kIn, exec_).probability,
              predict_rows(*leaked, leaky, split.held_out, kIn, exec_).probability);
  }
  // Labelled rows that are repeated without their labels say nothing new.
  ASSERT_TRUE(with_leak.unlabelled.has_value());
  EXPECT_EQ(with_leak.settings, tuned(data_).settings);
}

TEST_F(UnlabelledTuning, RowsThatDoNotHelpAreLeftOut) {
  Dataset noise = planted_domains(0, 300, 9);
  for (std::size_t n = 0; n < noise.num_examples(); ++n) {  // all texts are the same one
    for (std::size_t i = noise.rows.begin[n]; i < noise.rows.begin[n + 1]; ++i) {
      noise.rows.feature[i] = noise.rows.feature[i] % 3 + 1;
    }
  }
  const Tuned found = tuned(with(data_, noise));
  ASSERT_TRUE(found.unlabelled.has_value());
  EXPECT_EQ(*found.options.unlabelled_weight, found.unlabelled->weight);
  if (found.unlabelled->weight == 0) {
    EXPECT_EQ(found.unlabelled->log_loss, found.unlabelled->log_loss_without);
  } else {
    EXPECT_LT(found.unlabelled->log_loss, found.unlabelled->log_loss_without);
  }
}

TEST_F(UnlabelledTuning, ChoosesFromTheTableAndKeepsTheOtherSettings) {
  const Dataset more = planted_domains(0, 300, 3);
  for (const char* system : {"prior", "pool", "lini"}) {
    const Tuned without = tuned(data_, system), found = tuned(with(data_, more), system);
    EXPECT_EQ(found.settings, without.settings) << system;
    EXPECT_FALSE(without.unlabelled.has_value());
    EXPECT_FALSE(without.options.unlabelled_weight.has_value());
    ASSERT_TRUE(found.unlabelled.has_value());
    EXPECT_THAT(found.unlabelled->weight, testing::AnyOf(0.0, 0.1, 0.3));
    if (found.unlabelled->weight > 0) {
      EXPECT_THAT(found.unlabelled->sharpen, testing::AnyOf(1.5, 2.0, 3.0));
      EXPECT_LT(found.unlabelled->log_loss, found.unlabelled->log_loss_without);
    }
  }
}

TEST_F(UnlabelledTuning, AGivenWeightIsNotTuned) {
  const Dataset data = with(data_, planted_domains(0, 200, 3));
  for (const double weight : {0.0, 0.7}) {
    TuneOptions options{.folds = 4};
    options.base.unlabelled_weight = weight;
    options.fixed = {"unlabelled-weight"};
    const Tuned found = tune(data, "prior", kIn, options, exec_);
    EXPECT_EQ(found.options.unlabelled_weight, weight);
    EXPECT_EQ(found.unlabelled->weight, weight);
  }
}

TEST_F(UnlabelledTuning, DoesNotDependOnThreads) {
  const Dataset data = with(data_, planted_domains(0, 200, 3));
  const Execution one(1);
  const Tuned a = tuned(data), b = tune(data, "prior", kIn, {.folds = 4}, one);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.probability, b.probability);
}

TEST_F(UnlabelledTuning, ACompareReportsEachSystemWithAndWithoutThem) {
  const Dataset data = with(data_, planted_domains(0, 200, 3));
  const Dataset test = planted_domains(0, 150, 4);
  CompareOptions options{.systems = {"onlyi", "prior", "stack"}};
  options.tuning.folds = 3;
  options.resume =
      (std::filesystem::path(testing::TempDir()) / "unlabelled-resume").string();
  std::filesystem::remove_all(options.resume);
  const Comparison found = compare(data, kIn, &test, options, exec_);
  const Comparison plain = compare(
      data_, kIn, &test, {.systems = {"onlyi", "prior"}, .tuning = options.tuning}, exec_);
  for (std::size_t s = 0; s < 2; ++s) {
    ASSERT_TRUE(found.systems[s].unlabelled.has_value());
    EXPECT_FALSE(plain.systems[s].unlabelled.has_value());
    EXPECT_EQ(found.systems[s].tuned, plain.systems[s].tuned);
    EXPECT_EQ(found.systems[s].unlabelled->without.accuracy,
              plain.systems[s].evaluation.accuracy);
    EXPECT_DOUBLE_EQ(
        found.systems[s].unlabelled->gain,
        found.systems[s].evaluation.accuracy - plain.systems[s].evaluation.accuracy);
  }
  EXPECT_TRUE(found.systems[2].unlabelled.has_value());
  EXPECT_THAT(found.evidence, testing::Contains(testing::HasSubstr("Unlabelled rows: ")));
  const Comparison again = compare(data, kIn, &test, options, exec_);  // from stored parts
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(again.systems[s].predictions.probability,
              found.systems[s].predictions.probability);
    EXPECT_EQ(again.systems[s].unlabelled->gain, found.systems[s].unlabelled->gain);
    EXPECT_EQ(again.systems[s].options, found.systems[s].options);
  }
  std::filesystem::remove_all(options.resume);
}

// Learning curves and simulated labelling take their samples here.
TEST(CurveFits, ASampleLacksTheUnlabelledRowsThatAreTested) {
  Dataset data = planted_domains(10, 40, 1);
  data.unlabelled = bare(data, all_rows(data));
  const CurveOptions options;
  const Execution exec(1);
  const CurveFits fits(data, kIn, nullptr, options, {&find_system("prior")}, exec);
  const std::vector<std::size_t> own{20, 21, 22};
  const Dataset sampled = fits.sample({.rows = own, .held_out = {30, 31}}, own);
  EXPECT_EQ(sampled.num_examples(), 13u);
  ASSERT_NE(sampled.unlabelled, nullptr);
  EXPECT_EQ(sampled.unlabelled->num_examples(), 48u);
}

TEST_F(UnlabelledTuning, ACurveUsesThem) {
  CurveOptions options{.systems = {"prior"}, .sizes = {20}, .repeats = 2};
  options.when_tuned = CurveTuning::none;
  const LearningCurves without = learning_curves(data_, kIn, nullptr, options, exec_);
  const Dataset data = with(data_, planted_domains(0, 200, 3));
  const LearningCurves found = learning_curves(data, kIn, nullptr, options, exec_);
  EXPECT_NE(found.systems.back().points[0].log_loss.mean,
            without.systems.back().points[0].log_loss.mean);
}

}  // namespace
}  // namespace megadapt
