#include "cli/streaming/eval_tagging.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options/task_arguments.hpp"
#include "cli/streaming/row_predictor.hpp"
#include "cli/streaming/sentence_pipeline.hpp"
#include "cli/text/eval_report.hpp"
#include "decoding/decoding.hpp"

namespace megadapt::cli {
namespace {

// The names of the features that stand for a word itself, in the built-in templates.
constexpr std::string_view kWordFeatures[] = {"w=", "lower="};

/// What is needed of one sentence for its scores.
struct ScoredSentence {
  std::vector<std::uint32_t> predicted;
  std::vector<double> gold_probability;
  std::vector<std::uint8_t> unknown;  // empty when the model does not tell
};

class SentenceScorer {
 public:
  SentenceScorer(const Model& model, const TaskOptions& task, std::uint32_t domain)
      : model_(model),
        sentence_(model, task, domain),
        transitions_(model.labels,
                     task.scheme.empty() ? TagScheme::none : parse_scheme(task.scheme)) {
    for (std::uint32_t y = 0; y < model.labels.size(); ++y) ids_[model.labels[y]] = y;
    for (const std::string_view prefix : kWordFeatures) {
      if (word_feature_.empty() && has_feature_like(prefix)) word_feature_ = prefix;
    }
  }

  ScoredSentence score(const Sentence& sentence) {
    sentence_.read(sentence);
    ScoredSentence scored{best_tags(sentence_, transitions_).tags, {}, {}};
    std::vector<double> p(model_.labels.size());
    std::uint32_t previous = kNone;
    for (std::size_t t = 0; t < sentence_.size(); ++t) {
      sentence_.probabilities(t, {&previous, 1}, p);
      const auto known = ids_.find(sentence.tags[t]);
      scored.gold_probability.push_back(known == ids_.end() ? 0 : p[known->second]);
      previous = known == ids_.end() ? kUnseenTag : known->second;
    }
    if (!word_feature_.empty() && !sentence.is_span) add_unknown(sentence, scored);
    return scored;
  }

  std::size_t unseen() const { return sentence_.unseen(); }

 private:
  bool has_feature_like(std::string_view prefix) const {
    for (std::uint32_t f = 0; f < model_.features.size(); ++f) {
      if (model_.features.name(f).starts_with(prefix)) return true;
    }
    return false;
  }

  void add_unknown(const Sentence& sentence, ScoredSentence& scored) {
    for (const std::string_view token : sentence.tokens) {
      name_ = word_feature_;
      name_ += word_feature_ == "lower=" ? lower_case(token) : std::string(token);
      scored.unknown.push_back(model_.features.find(name_) == kNone);
    }
  }

  const Model& model_;
  EncodedSentence sentence_;
  TagTransitions transitions_;
  std::map<std::string, std::uint32_t, std::less<>> ids_;
  std::string word_feature_;
  std::string name_;
};

std::string percent_of(double share) { return fmt::format("{:.2f}", 100 * share); }

nlohmann::ordered_json counts_json(const SpanCounts& counts) {
  return {{"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f1", counts.f1()},
          {"support", counts.gold},
          {"predicted", counts.predicted},
          {"right", counts.right}};
}

std::string counts_line(const std::string& name, const SpanCounts& counts) {
  return fmt::format("{:<14}  {:>9}  {:>6}  {:>6}  {:>7}\n", name,
                     percent_of(counts.precision()), percent_of(counts.recall()),
                     percent_of(counts.f1()), counts.gold);
}

}  // namespace

TaggingEvaluation evaluate_tagging(const Model& model, const TaggingTest& test,
                                   const CommonOptions& common, std::string* sha256) {
  const TaskOptions task = task_of(model, "eval");
  SentenceOptions reading = reading_for(task, test.format, test.columns, true);
  reading.skip_bad = test.skip_bad;
  reading.digest = sha256 != nullptr;
  const auto reader = open_sentences(test.input, reading);
  const Execution exec(common.threads);
  SentencePipeline pipeline(*reader, test.input, exec);
  std::vector<SentenceScorer> scorers;
  for (std::size_t slot = 0; slot < pipeline.slots(); ++slot) {
    scorers.emplace_back(model, task, fallback_domain(model, test.as_domain));
  }
  TaggingEvaluator sequences(model.labels);
  Evaluator spans(model.labels);
  std::vector<std::vector<ScoredSentence>> scored(pipeline.slots());
  pipeline.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        scored[slot].clear();
        for (const Sentence& sentence : sentences) {
          scored[slot].push_back(scorers[slot].score(sentence));
        }
      },
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        for (std::size_t s = 0; s < sentences.size(); ++s) {
          const Sentence& sentence = sentences[s];
          const ScoredSentence& result = scored[slot][s];
          if (sentence.is_span) {
            spans.add(sentence.tags[0], result.predicted[0], result.gold_probability[0],
                      sentence.document);
          } else {
            sequences.add({sentence.tags, result.predicted, result.gold_probability,
                           result.unknown, sentence.document});
          }
        }
      },
      [] {});
  if (sha256) *sha256 = reader->sha256();
  std::size_t unseen = 0;
  for (const SentenceScorer& scorer : scorers) unseen += scorer.unseen();
  common.detail("{} not in the model and ignored", counted(unseen, "feature occurrence"));
  if (reader->skipped() > 0) {
    common.note("{} left out", counted(reader->skipped(), "bad sentence"));
  }
  if (!task.spans()) return sequences.result(common.seed);
  TaggingEvaluation result;
  result.tokens = spans.result(common.seed);
  return result;
}

nlohmann::ordered_json tagging_json(const TaggingEvaluation& result) {
  nlohmann::ordered_json json = evaluation_json(result.tokens);
  if (result.sentences == 0) return json;
  json["sentences"] = result.sentences;
  json["sentence_accuracy"] = result.sentence_accuracy;
  if (result.unknown_tokens) {
    json["unknown"] = {{"tokens", *result.unknown_tokens},
                       {"accuracy", result.unknown_accuracy}};
  }
  if (!result.spans) return json;
  json["f1_interval"] = result.f1_interval;
  json["spans"] = counts_json(*result.spans);
  json["types"] = nlohmann::ordered_json::object();
  for (const auto& [type, counts] : result.types) json["types"][type] = counts_json(counts);
  return json;
}

std::string tagging_text(const TaggingEvaluation& result) {
  if (result.sentences == 0) return evaluation_text(result.tokens);
  std::string out;
  if (result.spans) {
    out += fmt::format("{:<14}  precision  recall      F1  support\n", "spans");
    out += counts_line("all", *result.spans);
    for (const auto& [type, counts] : result.types) {
      if (!type.empty()) out += counts_line(type, counts);
    }
    out +=
        fmt::format("95% interval of the span F1: {} to {}\n\n",
                    percent_of(result.f1_interval[0]), percent_of(result.f1_interval[1]));
  }
  out += fmt::format("sentences {}, all tags right in {} %\n", result.sentences,
                     percent_of(result.sentence_accuracy));
  if (result.unknown_tokens) {
    out += fmt::format("words unknown to the model {}, accuracy {} %\n",
                       *result.unknown_tokens, percent_of(result.unknown_accuracy));
  }
  return out + "\n" + evaluation_text(result.tokens, result.spans.has_value());
}

}  // namespace megadapt::cli
