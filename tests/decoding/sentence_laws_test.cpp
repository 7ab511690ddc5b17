#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "dataset/reading/span_tags.hpp"
#include "dataset/select_rows.hpp"
#include "decoding/decoding.hpp"
#include "mega/fit_mixture.hpp"
#include "megadapt/systems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::planted_sequences;
using testing_support::sentence_rows;

TEST(SentenceLaws, WithoutTagFeaturesTaggingIsClassifyingEachToken) {
  const Dataset data = planted_sequences(60, 20, 1, false);
  const Execution exec(2);
  for (const char* system : {"mix", "megam", "lini", "feats"}) {
    const auto predictor = find_system(system).fit(data, 1, {}, {exec});
    const auto tags =
        tag_rows(*predictor, data, all_rows(data), 1, TagTransitions(3), exec);
    std::vector<double> p(3);
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      predictor->predict(data.rows[n], 1, p);
      EXPECT_EQ(tags[n], std::max_element(p.begin(), p.end()) - p.begin()) << system;
    }
  }
}

TEST(SentenceLaws, AfterTheGoldTagTheLocalProbabilityIsThatOfTheRow) {
  const Dataset data = planted_sequences(60, 20, 2);
  const Execution exec(2);
  for (const char* system : {"mix", "megam", "pool", "stack", "feats", "easyadapt"}) {
    const auto predictor = find_system(system).fit(data, 1, {}, {exec});
    for (std::size_t s = 0; s < 10; ++s) {
      const auto [first, last] = sentence_rows(data, s);
      const DatasetSentence sentence(*predictor, data, first, last, 1);
      std::uint32_t previous = kNone;
      std::vector<double> local(3), row(3);
      for (std::size_t n = first; n < last; ++n) {
        sentence.probabilities(n - first, {&previous, 1}, local);
        predictor->predict(data.rows[n], 1, row);
        EXPECT_THAT(local, testing::Pointwise(testing::DoubleNear(1e-12), row)) << system;
        previous = data.label[n];
      }
    }
  }
}

TEST(SentenceLaws, TheGateSeesNoFeatureOfTheTag) {
  const Dataset data = planted_sequences(60, 20, 3);
  const Execution exec(2);
  for (const Gate gate : {Gate::presence, Gate::logistic}) {
    MixtureOptions options;
    options.gate = gate;
    const Mixture mixture = fit_mixture(data, options, exec);
    bool any = false;
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      for (std::size_t d = 0; d < 2; ++d) {
        const double weight = mixture.gate.weights[f * 2 + d];
        if (data.is_tag_feature(f)) {
          EXPECT_EQ(weight, 0) << data.features().name(f);
        } else {
          any |= weight != 0;
        }
      }
    }
    EXPECT_TRUE(any);
  }
}

TEST(SentenceLaws, ThePreviousTagHelps) {
  const Dataset test = planted_sequences(0, 200, 5);
  const Execution exec(2);
  const auto log_loss = [&](const Dataset& train) {
    const auto predictor = find_system("onlyi").fit(train, 1, {}, {exec});
    double sum = 0;
    std::vector<double> p(3);
    for (std::size_t n = 0; n < test.num_examples(); ++n) {
      predictor->predict(test.rows[n], 1, p);
      sum -= std::log(p[test.label[n]]);
    }
    return sum / static_cast<double>(test.num_examples());
  };
  EXPECT_LT(log_loss(planted_sequences(20, 400, 4)),
            log_loss(planted_sequences(20, 400, 4, false)) - 0.1);
}

// Features keep their ids and rows change their order: the same problem, so the objectives
// agree to 1e-9.
TEST(SentenceLaws, TheOrderOfSentencesDoesNotMatter) {
  const Dataset data = planted_sequences(80, 0, 6);
  std::vector<std::size_t> rows;
  for (std::size_t s = 80; s-- > 0;) {
    const auto [first, last] = sentence_rows(data, s);
    for (std::size_t n = first; n < last; ++n) rows.push_back(n);
  }
  const Dataset turned = select_rows(data, rows);
  const Execution exec(2);
  MaxentOptions options;
  options.precision = Precision::double_;
  options.tolerance = 1e-13;
  const MaxentFit a = MaxentProblem(data, all_rows(data), exec).fit({}, options, exec);
  const MaxentFit b = MaxentProblem(turned, all_rows(turned), exec).fit({}, options, exec);
  EXPECT_NEAR(a.objective, b.objective, 1e-9 * a.objective);
  const MaxentPredictor first(3, a.weights), second(3, b.weights);
  const TagTransitions free(3);
  const auto tags = tag_rows(first, data, all_rows(data), 0, free, exec);
  const auto again = tag_rows(second, turned, all_rows(turned), 0, free, exec);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(again[i], tags[rows[i]]);
}

TEST(SentenceLaws, RowsAreTaggedSentenceBySentence) {
  const Dataset data = planted_sequences(40, 0, 7);
  const Execution exec(2);
  const auto predictor = find_system("mix").fit(data, 0, {}, {exec});
  const TagTransitions free(3);
  const auto all = tag_rows(*predictor, data, all_rows(data), 0, free, exec);
  std::vector<std::size_t> some;
  for (std::size_t s = 0; s < 40; s += 3) {
    const auto [first, last] = sentence_rows(data, s);
    for (std::size_t n = first; n < last; ++n) some.push_back(n);
  }
  const auto chosen = tag_rows(*predictor, data, some, 0, free, exec);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(chosen[i], all[some[i]]);
}

TEST(SentenceLaws, ADataSetInAnotherSchemeIsNotConstrained) {
  Dataset data;
  for (const char* tag : {"O", "B", "I"}) data.own_schema().labels.add(tag);
  data.sentence_begin = {0, 4};
  data.label = {0, 2, 2, 1};  // IOB1: a span may begin with I
  EXPECT_EQ(scheme_for(data, ""), TagScheme::none);
  EXPECT_EQ(scheme_for(data, "iob2"), TagScheme::iob2);
  data.label = {0, 1, 2, 1};
  EXPECT_EQ(scheme_for(data, ""), TagScheme::iob2);
  EXPECT_EQ(scheme_for(data, "none"), TagScheme::none);
}

}  // namespace
}  // namespace megadapt
