#include "evaluation/scores/score_sentences.hpp"

#include <map>

namespace megadapt {
namespace {

// Prefixes of the features for the word itself in the built-in templates.
constexpr std::string_view kWordFeatures[] = {"w=", "lower="};

/// The facts about one sentence that its scores need.
struct ScoredSentence {
  std::vector<std::uint32_t> predicted;
  std::vector<double> gold_probability;
  std::vector<std::uint8_t> unknown;  // empty if the model cannot tell
  std::vector<double> confidence;     // P(predicted tag | sentence)
};

class SentenceScorer {
 public:
  explicit SentenceScorer(const Model& model) : model_(model) {
    for (std::uint32_t y = 0; y < model.labels.size(); ++y) ids_[model.labels[y]] = y;
    for (const std::string_view prefix : kWordFeatures) {
      if (word_feature_.empty() && has_feature_like(prefix)) word_feature_ = prefix;
    }
  }

  ScoredSentence score(const Sentence& sentence, Tagger::Worker& worker) const {
    worker.read(sentence);
    ScoredSentence scored{worker.best().tags, {}, {}, {}};
    const std::size_t Y = model_.labels.size();
    const std::vector<double> marginals = worker.marginals();
    std::vector<double> p(Y);
    std::uint32_t previous = kNone;
    for (std::size_t t = 0; t < worker.size(); ++t) {
      scored.confidence.push_back(marginals[t * Y + scored.predicted[t]]);
      worker.probabilities(t, previous, p);
      const auto known = ids_.find(sentence.tags[t]);
      scored.gold_probability.push_back(known == ids_.end() ? 0 : p[known->second]);
      previous = known == ids_.end() ? kUnseenTag : known->second;
    }
    if (!word_feature_.empty() && !sentence.is_span) add_unknown(sentence, scored);
    return scored;
  }

 private:
  bool has_feature_like(std::string_view prefix) const {
    for (std::uint32_t f = 0; f < model_.features.size(); ++f) {
      if (model_.features.name(f).starts_with(prefix)) return true;
    }
    return false;
  }

  void add_unknown(const Sentence& sentence, ScoredSentence& scored) const {
    for (const std::string_view token : sentence.tokens) {
      std::string name = word_feature_;
      name += word_feature_ == "lower=" ? lower_case(token) : std::string(token);
      scored.unknown.push_back(model_.features.find(name) == kNone);
    }
  }

  const Model& model_;
  std::map<std::string, std::uint32_t, std::less<>> ids_;
  std::string word_feature_;
};

}  // namespace

TaggingEvaluation score_sentences(const Tagger& tagger, SentenceStream& stream,
                                  std::uint64_t seed, ReliabilityCounter& reliability) {
  const SentenceScorer scorer(tagger.model());
  TaggingEvaluator sequences(tagger.labels());
  Evaluator spans(tagger.labels());
  std::vector<std::vector<ScoredSentence>> scored(stream.slots());
  stream.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        scored[slot].clear();
        for (const Sentence& sentence : sentences) {
          scored[slot].push_back(scorer.score(sentence, stream.worker(slot)));
        }
      },
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        for (std::size_t s = 0; s < sentences.size(); ++s) {
          const Sentence& sentence = sentences[s];
          const ScoredSentence& result = scored[slot][s];
          for (std::size_t t = 0; t < result.predicted.size(); ++t) {
            reliability.add(result.confidence[t],
                            tagger.labels()[result.predicted[t]] == sentence.tags[t]);
          }
          if (sentence.is_span) {
            spans.add(sentence.tags[0], result.predicted[0], result.gold_probability[0],
                      sentence.document);
          } else {
            sequences.add({sentence.tags, result.predicted, result.gold_probability,
                           result.unknown, sentence.document});
          }
        }
      });
  if (!tagger.task().spans()) return sequences.result(seed);
  TaggingEvaluation result;
  result.tokens = spans.result(seed);
  return result;
}

}  // namespace megadapt
