#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "evaluation/scores/bootstrap.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

// Returns the 2.5% and 97.5% quantiles of F1 over resampled units (percentile bootstrap).
std::array<double, 2> f1_bootstrap(const std::vector<SpanCounts>& units,
                                   std::uint64_t seed) {
  Random random(seed);
  std::vector<double> f1(kResamples);
  for (double& value : f1) {
    SpanCounts sum;
    for (std::size_t i = 0; i < units.size(); ++i) {
      sum += units[random.below(static_cast<std::uint32_t>(units.size()))];
    }
    value = sum.f1();
  }
  std::sort(f1.begin(), f1.end());
  return {f1[kResamples * 25 / 1000 - 1], f1[kResamples * 975 / 1000 - 1]};
}

}  // namespace

TaggingEvaluator::TaggingEvaluator(std::vector<std::string> labels)
    : labels_(std::move(labels)), has_spans_(mark_spans(labels_)), tokens_(labels_) {}

void TaggingEvaluator::add(const TaggedSentence& sentence) {
  const std::size_t T = sentence.gold.size();
  // Tokens of a sentence are not independent, so sentences are resampled as units where
  // there are no documents. No document's name begins with a line feed.
  const std::string own_group = fmt::format("\n{}", sentence_spans_.size());
  const std::string_view group = sentence.group.empty() ? own_group : sentence.group;
  std::vector<std::string_view> predicted(T);
  bool all_right = true;
  for (std::size_t t = 0; t < T; ++t) {
    predicted[t] = labels_[sentence.predicted[t]];
    const bool right = predicted[t] == sentence.gold[t];
    all_right = all_right && right;
    tokens_.add(sentence.gold[t], sentence.predicted[t], sentence.gold_probability[t],
                group);
    if (sentence.unknown.empty()) continue;
    knows_unknown_ = true;
    unknown_ += sentence.unknown[t];
    unknown_right_ += sentence.unknown[t] && right;
  }
  right_sentences_ += all_right;

  SpanCounts counts;
  if (has_spans_) {
    for (const auto& [type, of_type] : count_spans(sentence.gold, predicted)) {
      types_[type] += of_type;
      counts += of_type;
    }
  }
  sentence_spans_.push_back(counts);
  const auto next = static_cast<std::uint32_t>(groups_.size());
  sentence_group_.push_back(groups_.emplace(group, next).first->second);
}

TaggingEvaluation TaggingEvaluator::result(std::uint64_t seed) const {
  TaggingEvaluation result;
  result.tokens = tokens_.result(seed);
  result.sentences = sentence_spans_.size();
  if (result.sentences == 0) return result;
  result.sentence_accuracy =
      static_cast<double>(right_sentences_) / static_cast<double>(result.sentences);
  if (knows_unknown_) {
    result.unknown_tokens = unknown_;
    result.unknown_accuracy = static_cast<double>(unknown_right_) /
                              static_cast<double>(std::max<std::size_t>(1, unknown_));
  }
  if (!has_spans_) return result;

  std::vector<SpanCounts> units(groups_.size());
  SpanCounts all;
  for (std::size_t s = 0; s < sentence_spans_.size(); ++s) {
    all += sentence_spans_[s];
    units[sentence_group_[s]] += sentence_spans_[s];
  }
  result.spans = all;
  result.types = types_;
  result.tokens.f1 = all.f1();
  result.f1_interval = f1_bootstrap(units, seed);
  return result;
}

}  // namespace megadapt
