// A tagger needs only a model, whose task gives the features and the allowed transitions.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "inference/span_confidence.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {
namespace {

Model span_tagger() {
  const std::string path =
      testing::TempDir() + "/tagger-" + std::to_string(getpid()) + ".conll";
  std::ofstream(path) << "ann\tB-PER\nlee\tI-PER\nran\tO\n\nbob\tB-PER\nsat\tO\n\n"
                         "she\tO\nsaw\tO\nann\tB-PER\n\n";
  Dataset data = read_dataset({{"news", path}},
                              {.task = TaskOptions{.task = "mention", .scheme = "iob2"}});
  return train_model(std::move(data), "mix", "news", {}, {}, {Execution(1)});
}

TEST(Tagger, TokensOfAProgramAreTaggedAsThoseOfAFile) {
  const Tagger tagger(span_tagger());
  const std::string path =
      testing::TempDir() + "/tagger-new-" + std::to_string(getpid()) + ".conll";
  std::ofstream(path) << "ann\nlee\nsat\n\n";
  const auto reader = tagger.open(path, {.format = "conll", .columns = "token"});
  Sentence sentence;
  ASSERT_TRUE(reader->next(sentence));
  Tagger::Worker worker = tagger.worker();
  worker.read(sentence);
  const auto from_file = worker.predict();
  const auto from_program = tagger.predict({.tokens = {"ann", "lee", "sat"}});
  ASSERT_EQ(from_program.size(), 3u);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(from_program[t].label, from_file[t].label);
    EXPECT_EQ(from_program[t].probabilities, from_file[t].probabilities);
  }
  EXPECT_EQ(tagger.labels()[from_file[0].label], "B-PER");
}

TEST(Tagger, KeepsToTheSchemeOfItsTask) {
  const Tagger tagger(span_tagger());
  const Sentence sentence = tagger.sentence({.tokens = {"lee", "lee", "lee"}});
  Tagger::Worker worker = tagger.worker();
  worker.read(sentence);
  for (const TagSequence& sequence : worker.n_best(5)) {
    EXPECT_NE(tagger.labels()[sequence.tags[0]], "I-PER");
  }
}

// The probability that the span begins, goes on, and ends: here of two tokens and of one at
// the end of the sentence.
TEST(Tagger, ASpansProbabilityIsThatOfItsTags) {
  const Tagger tagger(span_tagger());
  const Sentence sentence =
      tagger.sentence({.tokens = {"ann", "lee", "ran", "saw", "bob"}});
  Tagger::Worker worker = tagger.worker();
  worker.read(sentence);
  const std::vector<std::string>& labels = tagger.labels();
  const auto id = [&](const char* tag) {
    return static_cast<std::uint32_t>(std::ranges::find(labels, tag) - labels.begin());
  };
  const auto p = [&](std::size_t t, const char* before, const char* tag) {
    std::vector<double> all(labels.size());
    worker.probabilities(t, id(before), all);
    return all[id(tag)];
  };
  const TagSequence best = worker.best();
  const auto spans = span_confidence(worker, labels, best);
  ASSERT_EQ(spans.size(), 2u);
  const std::vector<double> marginal = worker.marginals();
  EXPECT_EQ(spans[0].begin, 0u);
  EXPECT_EQ(spans[0].end, 2u);
  EXPECT_EQ(spans[0].type, "PER");
  EXPECT_DOUBLE_EQ(spans[0].probability, marginal[id("B-PER")] * p(1, "B-PER", "I-PER") *
                                             (1 - p(2, "I-PER", "I-PER")));
  EXPECT_EQ(spans[1].begin, 4u);
  EXPECT_EQ(spans[1].end, 5u);
  EXPECT_DOUBLE_EQ(spans[1].probability, marginal[4 * labels.size() + id("B-PER")]);
  EXPECT_TRUE(span_confidence(worker, {"NOUN", "VERB", "DET"}, best).empty());
}

TEST(Tagger, TagsTheSentencesOfAText) {
  const Tagger tagger(span_tagger());
  const std::string text = "  ann lee ran. she saw\n(bob), e.g.\n\nann\n\n";
  const auto sentences = tagger.predict_text(text);
  ASSERT_EQ(sentences.size(), 2u);
  std::string joined;
  for (const PredictedSentence& sentence : sentences) {
    ASSERT_EQ(sentence.spaces.size(), sentence.tokens.size() + 1);
    const auto alone = tagger.predict({.tokens = sentence.tokens});
    for (std::size_t t = 0; t < sentence.tokens.size(); ++t) {
      joined += sentence.spaces[t] + sentence.tokens[t];
      EXPECT_EQ(sentence.predictions[t].probabilities, alone[t].probabilities);
    }
    joined += sentence.spaces.back();
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(tagger.labels()[sentences[1].predictions[0].label], "B-PER");
  EXPECT_TRUE(tagger.predict_text(" \n").empty());
}

TEST(Tagger, SplitsAtSpacesWherePunctuationIsApart) {
  const Tagger tagger(span_tagger());
  const auto sentences = tagger.predict_text("mr. ann ran .\nbob sat .");
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0].tokens, testing::ElementsAre("mr.", "ann", "ran", "."));
  EXPECT_EQ(tagger.predict_text("ann ran .", "", "prose").size(), 1u);
  EXPECT_THROW(tagger.recase_text("ann ran."), UsageError) << "not a model of recap";
}

TEST(Tagger, RefusesListsThatDoNotFit) {
  const Tagger tagger(span_tagger());
  EXPECT_THROW(tagger.predict({}), UsageError);
  EXPECT_THROW(tagger.predict({.tokens = {"a"}, .columns = {{"pos", {"N", "V"}}}}),
               UsageError);
  EXPECT_THROW(tagger.predict({.tokens = {"a"}}, "phones"), UsageError);
}

}  // namespace
}  // namespace megadapt
