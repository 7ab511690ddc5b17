// What unlabelled rows change in a fit, and what they must not change.
#include "systems/self_training.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "dataset/select_rows.hpp"
#include "support/planted_domains.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing_support::kIn;
using testing_support::planted_domains;
using testing_support::planted_sequences;

// The rows of `data` without their labels, over the schema of `train`.
std::shared_ptr<const Dataset> unlabelled_rows(const Dataset& train, const Dataset& data) {
  auto rows = std::make_shared<Dataset>();
  rows->schema = train.schema;
  RowBuilder builder(*rows);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    std::vector<std::uint32_t> features;
    for (const std::uint32_t f : data.rows[n].features) {
      if (!train.is_tag_feature(f)) features.push_back(f);
    }
    builder.add(RowView{features, {}});
    builder.end({.label = kNone, .domain = kIn});
  }
  rows->sentence_begin = data.sentence_begin;
  rows->tag_slots = data.tag_slots;
  return rows;
}

std::vector<double> predictions(const Predictor& predictor, const Dataset& data) {
  std::vector<double> all, p(data.num_labels());
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    predictor.predict(data.rows[n], kIn, p);
    all.insert(all.end(), p.begin(), p.end());
  }
  return all;
}

class SelfTrainingTest : public testing::TestWithParam<const System*> {
 protected:
  PredictorPtr fit(const Dataset& data, const Options& options, int threads = 2) const {
    const Execution exec(threads);
    return GetParam()->fit(data, kIn, options, {exec});
  }

  Dataset plain_ = planted_domains(120, 40, 1);
  Dataset test_ = planted_domains(0, 100, 2);
  Dataset data_ = [&] {
    Dataset data = plain_;
    data.unlabelled = unlabelled_rows(plain_, planted_domains(0, 150, 3));
    return data;
  }();
};

INSTANTIATE_TEST_SUITE_P(Systems, SelfTrainingTest, testing::ValuesIn(systems()),
                         [](const auto& chosen) { return chosen.param->name(); });

TEST_P(SelfTrainingTest, WithoutWeightItIsTheFitWithoutUnlabelledRows) {
  const auto without = predictions(*fit(plain_, {}), test_);
  EXPECT_EQ(predictions(*fit(data_, {.unlabelled_weight = 0}), test_), without);
  const auto with = predictions(*fit(data_, {.unlabelled_weight = 0.3}), test_);
  if (GetParam()->name() == "onlyo") {
    EXPECT_EQ(with, without);  // onlyo does not use rows of the target
  } else {
    EXPECT_NE(with, without);
  }
}

TEST_P(SelfTrainingTest, TheDefaultsAreThoseOfTheOptions) {
  const Options given{.unlabelled_weight = kUnlabelledWeight, .sharpen = kSharpen};
  EXPECT_EQ(predictions(*fit(data_, {}), test_), predictions(*fit(data_, given), test_));
}

TEST_P(SelfTrainingTest, DoesNotDependOnThreads) {
  EXPECT_EQ(predictions(*fit(data_, {}, 1), test_), predictions(*fit(data_, {}, 3), test_));
}

TEST_P(SelfTrainingTest, TheModelRecordsIt) {
  const Execution exec(2);
  Dataset data = data_;
  auto named = std::make_shared<Dataset>(*data.unlabelled);
  named->sources = {{"more.txt", "abc", 150, "in", true}};
  data.unlabelled = named;
  const Model model = train_model(data, GetParam()->name(), "in", {}, {}, {exec});
  EXPECT_THAT(model.info.options,
              testing::Contains(testing::Pair("unlabelled-weight", "0.1")));
  EXPECT_THAT(model.info.options, testing::Contains(testing::Pair("sharpen", "2")));
  ASSERT_FALSE(model.info.sources.empty());
  EXPECT_TRUE(model.info.sources.back().unlabelled);
  EXPECT_EQ(model.info.sources.back().rows, 150u);
}

// With k = 1 a row gets the labels that the model gives it already, so the gradient there
// stays 0.
TEST(SelfTraining, UnsharpenedRowsLeaveAConvergedFitWhereItIs) {
  Dataset data = planted_domains(0, 80, 1);
  const Dataset test = planted_domains(0, 100, 2);
  const Execution exec(2);
  const Options exact{.tolerance = 1e-13, .precision = Precision::double_};
  Options options = exact;
  options.unlabelled_weight = 1;
  options.sharpen = 1;
  const System& system = find_system("onlyi");
  const auto before = predictions(*system.fit(data, kIn, exact, {exec}), test);
  data.unlabelled = unlabelled_rows(data, planted_domains(0, 400, 3));
  EXPECT_THAT(predictions(*system.fit(data, kIn, options, {exec}), test),
              Pointwise(DoubleNear(1e-6), before));
  options.sharpen = 2;
  EXPECT_THAT(predictions(*system.fit(data, kIn, options, {exec}), test),
              testing::Not(Pointwise(DoubleNear(1e-2), before)));
}

// Shares of the labels of all rows of `data` from `first` on, [rows][Y].
std::vector<double> shares_from(const Dataset& data, std::size_t first) {
  const std::size_t Y = data.num_labels();
  std::vector<double> all((data.num_examples() - first) * Y);
  for (std::size_t n = first; n < data.num_examples(); ++n) {
    data.for_each_label(
        n, [&](std::uint32_t y, double share) { all[(n - first) * Y + y] = share; });
  }
  return all;
}

// q(y) = r(y) p(y)^k / Z, [rows][Y].
std::vector<double> scaled_powers(std::span<const double> p, std::span<const double> r,
                                  double k) {
  std::vector<double> q(p.size());
  for (std::size_t first = 0; first < q.size(); first += r.size()) {
    double sum = 0;
    for (std::size_t y = 0; y < r.size(); ++y) {
      sum += q[first + y] = r[y] * std::pow(p[first + y], k);
    }
    for (std::size_t y = 0; y < r.size(); ++y) q[first + y] /= sum;
  }
  return q;
}

// `weight` has one number per row; empty means 1 for each.
std::vector<double> label_totals(std::span<const double> q, std::size_t num_labels,
                                 std::span<const float> weight = {}) {
  std::vector<double> total(num_labels);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double w = weight.empty() ? 1 : static_cast<double>(weight[i / num_labels]);
    total[i % num_labels] += w * q[i];
  }
  return total;
}

TEST(SelfTraining, OwnLabelsAreSharpenedProbabilities) {
  Dataset data = planted_domains(0, 60, 1);
  auto more = std::make_shared<Dataset>(*unlabelled_rows(data, planted_domains(0, 20, 3)));
  for (std::size_t n = 0; n < 20; n += 2) more->weight[n] = 3;
  data.unlabelled = more;
  const Execution exec(2);
  const auto predictor =
      find_system("onlyi").fit(data, kIn, {.unlabelled_weight = 0}, {exec});
  const Dataset all = with_own_labels(data, kIn, *predictor, 3, 0.25, exec);
  ASSERT_EQ(all.num_examples(), 80u);
  EXPECT_EQ(all.unlabelled, nullptr);
  for (std::size_t n = 0; n < 60; ++n) EXPECT_TRUE(all.soft.of(n).empty());
  for (std::size_t n = 60; n < 80; ++n) {
    EXPECT_EQ(all.weight[n], n % 2 == 0 ? 0.75f : 0.25f);
    EXPECT_EQ(all.domain[n], kIn);
  }
  const auto p = predictions(*predictor, *data.unlabelled);
  const std::vector<double> wanted = label_totals(p, 3, more->weight);
  std::vector<double> r(3, 1);  // such that the labels' totals stay
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> total = label_totals(scaled_powers(p, r, 3), 3, more->weight);
    for (std::size_t y = 0; y < 3; ++y) r[y] *= wanted[y] / total[y];
  }
  EXPECT_THAT(shares_from(all, 60), Pointwise(DoubleNear(1e-3), scaled_powers(p, r, 3)));
}

// Sharpening alone would turn a label that most rows get into the label of nearly all rows.
TEST(SelfTraining, SharpeningDoesNotMakeALabelMoreFrequent) {
  Dataset data = planted_domains(100, 10, 1);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.label[n] == 0) data.weight[n] = 4;  // the most frequent label
  }
  data.unlabelled = unlabelled_rows(data, planted_domains(0, 300, 3));
  const Execution exec(2);
  const auto predictor =
      find_system("mix").fit(data, kIn, {.variance = 0.1, .unlabelled_weight = 0}, {exec});
  const auto p = predictions(*predictor, *data.unlabelled);
  const std::vector<double> wanted = label_totals(p, 3);
  const std::vector<double> even(3, 1);
  EXPECT_THAT(label_totals(scaled_powers(p, even, 3), 3),
              testing::Not(Pointwise(DoubleNear(10), wanted)));
  for (const double k : {1.0, 1.5, 3.0}) {
    const Dataset all = with_own_labels(data, kIn, *predictor, k, 0.1, exec);
    EXPECT_THAT(label_totals(shares_from(all, data.num_examples()), 3),
                Pointwise(DoubleNear(0.1), wanted));
  }
}

// The order in which labels were first read must not matter.
TEST(SelfTraining, TheOrderOfLabelsDoesNotMatter) {
  Dataset data = planted_domains(100, 40, 1);
  data.unlabelled = unlabelled_rows(data, planted_domains(0, 100, 3));
  Dataset turned = data;
  Schema& schema = turned.own_schema();
  schema.labels = {};
  for (const char* label : {"c", "a", "b"}) schema.labels.add(label);
  for (std::uint32_t& label : turned.label) label = (label + 1) % 3;
  const Dataset test = planted_domains(0, 50, 2);
  const Execution exec(2);
  for (const char* name : {"prior", "pool"}) {
    const Options options{.tolerance = 1e-10, .precision = Precision::double_};
    const auto a = predictions(*find_system(name).fit(data, kIn, options, {exec}), test);
    const auto b = predictions(*find_system(name).fit(turned, kIn, options, {exec}), test);
    for (std::size_t i = 0; i < a.size(); i += 3) {
      for (std::size_t y = 0; y < 3; ++y) ASSERT_NEAR(a[i + y], b[i + (y + 1) % 3], 1e-5);
    }
  }
}

// Tokens get the features of the tag that Viterbi finds before them, and shares of their
// marginals.
TEST(SelfTraining, SentencesGetTagsFromDecoding) {
  Dataset data = planted_sequences(40, 30, 1);
  const Dataset more = planted_sequences(0, 20, 2);
  data.unlabelled = unlabelled_rows(data, more);
  const Execution exec(2);
  const auto predictor =
      find_system("mix").fit(data, kIn, {.unlabelled_weight = 0}, {exec});
  const Dataset all = with_own_labels(data, kIn, *predictor, 2, 0.5, exec);
  ASSERT_EQ(all.num_examples(), data.num_examples() + more.num_examples());
  EXPECT_EQ(all.sentence_begin.back(), all.num_examples());
  EXPECT_EQ(all.sentence_begin.size(), data.sentence_begin.size() + 20);
  for (std::size_t n = data.num_examples(); n < all.num_examples(); ++n) {
    std::size_t tag_features = 0;
    for (const std::uint32_t f : all.rows[n].features)
      tag_features += all.is_tag_feature(f);
    EXPECT_EQ(tag_features, 2u);
    double sum = 0;
    for (const LabelShare& one : all.soft.of(n)) sum += static_cast<double>(one.share);
    if (all.soft.of(n).empty()) continue;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  // Decoding the labelled data set again needs its slots.
  const Dataset part = select_rows(all, testing_support::all_rows(all));
  EXPECT_EQ(part.tag_slots.slot, all.tag_slots.slot);
  for (const System* system : systems()) {
    EXPECT_NO_THROW(system->fit(data, kIn, {}, {exec})) << system->name();
  }
}

TEST(SelfTraining, AWeightWithoutUnlabelledRowsIsRefused) {
  const Dataset data = planted_domains(30, 30, 1);
  const Execution exec(1);
  try {
    train_model(data, "mix", "in", {.unlabelled_weight = 0.3}, {}, {exec});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there are no unlabelled rows"));
  }
  EXPECT_NO_THROW(train_model(data, "mix", "in", {.unlabelled_weight = 0}, {}, {exec}));
}

}  // namespace
}  // namespace megadapt
