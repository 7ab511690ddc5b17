#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/evaluation.hpp"

namespace megadapt {

/// Whether all tags are of the kind B-TYPE, I-TYPE, E-TYPE, S-TYPE, O, and not all O.
bool mark_spans(std::span<const std::string> tags);

/// Spans of one sentence or of many, as conlleval counts them: a span is right when its
/// first token, its last token and its type are.
struct SpanCounts {
  std::uint64_t right = 0;
  std::uint64_t gold = 0;
  std::uint64_t predicted = 0;

  SpanCounts& operator+=(const SpanCounts& other);
  double precision() const;
  double recall() const;
  double f1() const;
};

/// The spans of a sentence by type; without types there is one, "".
std::map<std::string, SpanCounts> count_spans(std::span<const std::string_view> gold,
                                              std::span<const std::string_view> predicted);

/// What a tagger says of one sentence. Arrays are [tokens].
struct TaggedSentence {
  std::span<const std::string_view> gold;
  std::span<const std::uint32_t> predicted;    ///< ids of the model's labels
  std::span<const double> gold_probability;    ///< p(gold | gold previous tag, x)
  std::span<const std::uint8_t> unknown = {};  ///< 1: training never saw the word
  std::string_view group = {};                 ///< the document
};

struct TaggingEvaluation {
  Evaluation tokens;  ///< its f1 is that of spans where tags mark spans
  std::size_t sentences = 0;
  double sentence_accuracy = 0;  ///< the share of sentences with every tag right
  std::optional<SpanCounts> spans;
  std::map<std::string, SpanCounts> types;
  std::array<double, 2> f1_interval{};  ///< 95%, bootstrap over documents, else sentences
  std::optional<std::size_t> unknown_tokens;  ///< where the caller tells which they are
  double unknown_accuracy = 0;
};

/// Collects one sentence after another and sums up.
class TaggingEvaluator {
 public:
  explicit TaggingEvaluator(std::vector<std::string> labels);
  void add(const TaggedSentence& sentence);
  TaggingEvaluation result(std::uint64_t seed) const;
  /// Spans of each sentence added so far, for tests of two taggers.
  std::span<const SpanCounts> sentence_spans() const { return sentence_spans_; }

 private:
  std::vector<std::string> labels_;
  bool has_spans_;
  Evaluator tokens_;
  std::vector<SpanCounts> sentence_spans_;
  std::vector<std::uint32_t> sentence_group_;
  std::map<std::string, std::uint32_t, std::less<>> groups_;
  std::map<std::string, SpanCounts> types_;
  std::size_t right_sentences_ = 0;
  std::size_t unknown_ = 0;
  std::size_t unknown_right_ = 0;
  bool knows_unknown_ = false;
};

/// Approximate randomisation of the difference in span F1 (Noreen 1989): how often swapping
/// the two systems' outputs on a random half of the sentences gives a difference as large
/// as the one seen. Two-sided, (1 + hits) / (1 + 10000 shuffles). `a` and `b` are spans of
/// the same sentences.
double f1_randomisation_p(std::span<const SpanCounts> a, std::span<const SpanCounts> b,
                          std::uint64_t seed);

}  // namespace megadapt
