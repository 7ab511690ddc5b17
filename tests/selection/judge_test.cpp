#include <gmock/gmock.h>

#include <cmath>

#include "megadapt/selection.hpp"
#include "megadapt/systems.hpp"
#include "selection/judge_sentence.hpp"
#include "support/planted_domains.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using testing_support::kIn;
using testing_support::planted_domains;
using testing_support::planted_sequences;

ModelPart parts_with_names(const Predictor& predictor) {
  static const std::vector<std::string> labels{"a", "b", "c"};
  return predictor.parts({.labels = labels, .domains = {"out", "in"}, .sources = {"out"}});
}

PredictorPtr fitted(const Dataset& data, const char* system) {
  return find_system(system).fit(data, kIn, {.tolerance = 1e-4}, {Execution(1)});
}

// The gradient of -log p(y | x) by lambda_fk is x_f (p_k - [k = y]).
TEST(RowJudgeLaw, ChangeIsTheExpectedLengthOfTheGradient) {
  const Dataset data = planted_domains(60, 40, 3);
  const auto predictor = fitted(data, "mix");
  RowJudge judge(*predictor, parts_with_names(*predictor), kIn);
  std::vector<double> p(3);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    predictor->predict(row, kIn, p);
    double expected = 0;
    for (std::size_t y = 0; y < 3; ++y) {
      double squares = 0;
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          squares += (p[k] - (k == y)) * (p[k] - (k == y));
        }
      }
      expected += p[y] * std::sqrt(squares);
    }
    const Judgement found = judge(row);
    EXPECT_NEAR(found.change, expected, 1e-12);
    std::vector<double> sorted = p;
    std::ranges::sort(sorted);
    EXPECT_NEAR(found.uncertainty, 1 - (sorted[2] - sorted[1]), 1e-12);
    EXPECT_EQ(found.disagreement, 0) << "one linear model has no experts";
    EXPECT_NEAR(found.score, found.uncertainty * std::sqrt(found.change), 1e-12);
  }
}

TEST(RowJudge, ExpertsOfAMixtureDisagreeWhereTheirLabelsDiffer) {
  const Dataset data = planted_domains(300, 200, 3);
  const auto predictor = fitted(data, "megam");
  const ModelPart parts = parts_with_names(*predictor);
  RowJudge judge(*predictor, parts, kIn);
  std::vector<double> general(3), specific(3);
  std::size_t differ = 0;
  for (const std::size_t n : data.rows_of(kIn)) {
    parts.children[0].predictor->predict(data.rows[n], kIn, general);
    parts.children[1 + kIn].predictor->predict(data.rows[n], kIn, specific);
    double distance = 0;
    for (std::size_t y = 0; y < 3; ++y) distance += std::abs(general[y] - specific[y]) / 2;
    const Judgement found = judge(data.rows[n]);
    EXPECT_NEAR(found.disagreement, distance, 1e-12);
    ASSERT_EQ(found.opinions.has_value(),
              most_probable(general) != most_probable(specific));
    if (!found.opinions) continue;
    ++differ;
    EXPECT_EQ(judge.expert_name(found.opinions->first.expert), "general");
    EXPECT_EQ(judge.expert_name(found.opinions->second.expert), "in");
    EXPECT_EQ(found.opinions->first.label, most_probable(general));
    EXPECT_EQ(found.opinions->second.label, most_probable(specific));
  }
  EXPECT_GT(differ, 0u);
}

TEST(RowJudge, EverySystemCanBeJudged) {
  const Dataset data = planted_domains(80, 40, 5);
  for (const System* system : systems()) {
    const auto predictor =
        system->fit(data, kIn, {.tolerance = 1e-2, .rounds = 1}, {Execution(1)});
    RowJudge judge(*predictor, parts_with_names(*predictor), kIn);
    const Judgement found = judge(data.rows[0]);
    EXPECT_GE(found.score, 0) << system->name();
    EXPECT_LE(found.uncertainty, 1) << system->name();
    EXPECT_LE(found.disagreement, 1 + 1e-12) << system->name();
    EXPECT_NE(found.first, found.second) << system->name();
  }
}

TEST(JudgeSentence, DoesNotSeeTheTags) {
  Dataset data = planted_sequences(60, 30, 4);
  const auto predictor = fitted(data, "mix");
  RowJudge judge(*predictor, parts_with_names(*predictor), kIn);
  const TagTransitions transitions(3);
  const std::size_t first = data.sentence_begin[70], last = data.sentence_begin[71];
  const DatasetSentence sentence(*predictor, data, first, last, kIn);
  const double before = judge_sentence(sentence, transitions, judge).score;
  for (std::size_t n = first; n < last; ++n) data.label[n] = (data.label[n] + 1) % 3;
  // Features of the gold previous tag are rewritten, too.
  for (std::size_t n = first + 1; n < last; ++n) {
    for (std::uint64_t i = data.rows.begin[n]; i < data.rows.begin[n + 1]; ++i) {
      if (data.is_tag_feature(data.rows.feature[i])) {
        data.rows.feature[i] = data.tag_slots.feature[0];
      }
    }
  }
  EXPECT_EQ(judge_sentence(sentence, transitions, judge).score, before);
  EXPECT_GT(before, 0);
}

}  // namespace
}  // namespace megadapt
