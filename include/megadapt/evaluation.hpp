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

namespace megadapt {

/// The probability that a label unseen in training counts with in the log loss.
inline constexpr double kUnseenProbability = 1e-15;

struct LabelScores {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  std::size_t support = 0;
};

/// How well predictions meet the truth. Shares are in [0, 1].
struct Evaluation {
  std::size_t examples = 0;
  double accuracy = 0;
  double log_loss = 0;  ///< mean nats per example
  double f1 = 0;        ///< macro: mean over labels that occur, true or predicted
  std::array<double, 2> interval{};  ///< 95% for accuracy, bootstrap
  std::map<std::string, LabelScores> labels;
  /// [gold][predicted], whole: gold over all names, predicted over the model's labels.
  std::map<std::string, std::map<std::string, std::size_t>> confusion;
  std::map<std::string, std::size_t> unseen_labels;  ///< gold labels the model lacks
};

/// Collects one prediction after another and sums up.
///
///     Evaluator evaluator(model.labels);
///     evaluator.add(row.label, probabilities, row.group);
///     const Evaluation result = evaluator.result(seed);
class Evaluator {
 public:
  explicit Evaluator(std::vector<std::string> labels);
  /// `group` may be empty; rows of one group are resampled together.
  void add(std::string_view gold, std::span<const double> probability,
           std::string_view group = {});
  /// The same for a label that was chosen in another way (a tagger's, by the whole
  /// sentence). `gold_probability` counts for nothing when the model lacks the gold label.
  void add(std::string_view gold, std::size_t predicted, double gold_probability,
           std::string_view group = {});
  /// The label add() takes as predicted: the most probable, the first of equals.
  static std::size_t predicted(std::span<const double> probability);
  Evaluation result(std::uint64_t seed) const;

 private:
  std::uint32_t name_id(std::string_view gold);
  struct Outcome {
    std::uint32_t gold;       // index in names_, which begins with the model's labels
    std::uint32_t predicted;  // index in labels
    double log_probability;
    std::uint32_t group;  // kNone for none
  };
  void add_label_scores(const std::vector<std::size_t>& confusion,
                        Evaluation& result) const;

  std::vector<std::string> names_;
  std::size_t num_labels_;
  std::map<std::string, std::uint32_t, std::less<>> index_;
  std::map<std::string, std::uint32_t, std::less<>> groups_;
  std::vector<Outcome> outcomes_;
};

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

/// McNemar's test of two systems on the same rows.
struct McNemar {
  std::size_t only_a = 0;  ///< rows that a alone has right
  std::size_t only_b = 0;
  bool exact = false;  ///< binomial; else chi-square with continuity correction
  double p = 1;        ///< two-sided
};

/// Rows that both have right or both have wrong say nothing; of the others, were the two
/// equally good, each is a fair coin. Up to 25 of them the binomial is summed exactly.
McNemar mcnemar(std::size_t only_a, std::size_t only_b);
/// Of two systems' hits (1 right, 0 wrong) on the same rows.
McNemar mcnemar(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

/// Holm's step-down correction: with these p-values the chance of any false alarm in the
/// whole family stays below the level each is compared with. In the order given.
std::vector<double> holm(std::span<const double> p);

/// The 95% percentile bootstrap interval of mean(a) - mean(b), rows resampled in pairs.
/// Rows of one group are resampled together; `group` is empty, or [rows] with kNone for
/// rows on their own.
std::array<double, 2> paired_interval(std::span<const double> a, std::span<const double> b,
                                      std::span<const std::uint32_t> group,
                                      std::uint64_t seed);

/// The share of the other's error that the better one avoids: 0.5 when half as many rows
/// are wrong, negative when more are; 0 when the other makes no error.
double error_reduction(double better_score, double other_score);

/// Rows whose predicted label has about this probability.
struct ReliabilityBin {
  double from = 0, to = 0;
  std::size_t count = 0;
  double confidence = 0;  ///< mean probability of the predicted label
  double accuracy = 0;    ///< how often it was right
};

/// Whether a model is as often right as it is sure.
struct Reliability {
  std::vector<ReliabilityBin> bins;  ///< those of ten that have rows, ascending
  double calibration_error = 0;      ///< mean of |confidence - accuracy| over rows (ECE)
};

/// Collects one prediction after another and sums up.
class ReliabilityCounter {
 public:
  void add(double probability, bool right);
  Reliability result() const;

 private:
  struct Sums {
    std::size_t count = 0;
    double confidence = 0;
    double right = 0;
  };
  std::array<Sums, 10> bins_{};
};

}  // namespace megadapt
