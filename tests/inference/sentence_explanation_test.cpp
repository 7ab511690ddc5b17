// Tokens are explained as rows that include the previous tag, and explanations add up.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "base/random.hpp"
#include "features/features.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/systems.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::string path =
      testing::TempDir() + "/sentence-explanation-" + std::to_string(getpid()) + "-" + name;
  std::ofstream(path) << text;
  return path;
}

// Tags follow each other in turn; half of the words reveal the tag.
std::string tagged_text(std::size_t sentences, std::uint64_t seed) {
  const char* tags[] = {"DET", "NOUN", "VERB"};
  Random random(seed);
  std::string text;
  for (std::size_t s = 0; s < sentences; ++s) {
    for (std::uint32_t t = 0, length = 2 + random.below(5); t < length; ++t) {
      const bool clear = random.uniform() < 0.5;
      text += fmt::format("{}{}\t{}\n", clear ? tags[t % 3] : "w", random.below(3),
                          tags[random.uniform() < 0.8 ? t % 3 : random.below(3)]);
    }
    text += '\n';
  }
  return text;
}

Model trained_tagger(std::string_view system) {
  const std::string many = written("many.conll", tagged_text(40, 1));
  const std::string few = written("few.conll", tagged_text(15, 2));
  Dataset data = read_dataset({{"many", many}, {"few", few}}, {.task = TaskOptions{}});
  return train_model(std::move(data), system, "few", {}, {}, {Execution(1)});
}

void expect_sum(const LogOdds& sum) {
  double total = sum.intercept + sum.omitted_sum;
  for (const Contribution& term : sum.contributions) total += term.contribution;
  EXPECT_NEAR(total, sum.total, 1e-9);
}

bool names_a_tag(const LogOdds& sum) {
  return std::ranges::any_of(sum.contributions, [](const Contribution& term) {
    return term.feature.starts_with(kTagFeature);
  });
}

void expect_sums(const ComponentExplanation& part, const Explanation& shown) {
  const auto& p = part.probabilities;
  EXPECT_NEAR(part.log_odds.total, std::log(p[shown.label] / p[shown.against]), 1e-9);
  if (part.components.empty()) expect_sum(part.log_odds);
  if (part.gate) {
    expect_sum(*part.gate);
    EXPECT_FALSE(names_a_tag(*part.gate));
  }
  for (const ComponentExplanation& component : part.components) {
    expect_sums(component, shown);
  }
}

class ExplainedSentences : public testing::TestWithParam<const System*> {};

INSTANTIATE_TEST_SUITE_P(Systems, ExplainedSentences, testing::ValuesIn(systems()),
                         [](const auto& chosen) { return chosen.param->name(); });

TEST_P(ExplainedSentences, AddUpGivenThePreviousTag) {
  const Model model = trained_tagger(GetParam()->name());
  Tagger::Worker worker = Tagger::over(model).worker();
  const auto reader = open_sentences(written("test.conll", tagged_text(10, 3)));
  std::vector<double> p(model.labels.size());
  for (Sentence sentence; reader->next(sentence);) {
    worker.read(sentence);
    const TagSequence best = worker.best();
    const std::vector<double> marginals = worker.marginals();
    const std::vector<Explanation> all = worker.explain();
    ASSERT_EQ(all.size(), sentence.size());
    std::uint32_t previous = kNone;
    for (std::size_t t = 0; t < all.size(); ++t) {
      const Explanation& shown = all[t];
      EXPECT_EQ(shown.label, best.tags[t]);
      EXPECT_EQ(shown.previous, previous == kNone ? "<s>" : model.labels[previous]);
      worker.probabilities(t, previous, p);
      for (std::size_t y = 0; y < p.size(); ++y) {
        EXPECT_NEAR(shown.model.probabilities[y], p[y], 1e-12);
        EXPECT_EQ(shown.probabilities[y], marginals[t * p.size() + y]);
      }
      expect_sums(shown.model, shown);
      previous = best.tags[t];
    }
  }
}

TEST(ExplainedSentence, ShowsThePreviousTagAndUnknownFeatures) {
  const Model model = trained_tagger("mix");
  Tagger::Worker worker = Tagger::over(model).worker();
  const auto reader = open_sentences(written("new.conll", "DET1\tDET\nnew\tNOUN\n\n"));
  Sentence sentence;
  ASSERT_TRUE(reader->next(sentence));
  worker.read(sentence);
  const std::vector<Explanation> all = worker.explain();
  EXPECT_TRUE(names_a_tag(all[1].model.log_odds));
  EXPECT_THAT(all[1].unseen, testing::Contains("w=new"));
  EXPECT_THAT(all[0].unseen, testing::Not(testing::Contains("w=DET1")));
}

TEST(ExplainedSentence, NeedsAModelOfATask) {
  const Execution exec(1);
  const Model model =
      train_model(testing_support::planted_domains(40, 20, 1), "mix", "in", {}, {}, {exec});
  EXPECT_THROW(Tagger::over(model), UsageError);
}

}  // namespace
}  // namespace megadapt
