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

/// The probability that the log loss assumes for a label that training has not seen.
inline constexpr double kUnseenProbability = 1e-15;

struct LabelScores {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  std::size_t support = 0;
};

/// How good predictions are. Shares are in [0, 1].
struct Evaluation {
  std::size_t examples = 0;
  double accuracy = 0;
  double log_loss = 0;  ///< mean nats per example
  double f1 = 0;        ///< macro: mean over labels that are true or predicted somewhere
  std::array<double, 2> interval{};  ///< 95% bootstrap interval of the accuracy
  /// 95% bootstrap interval of the F1 of spans; set by a comparison of taggers whose tags
  /// mark spans.
  std::optional<std::array<double, 2>> span_interval = {};
  std::map<std::string, LabelScores> labels;
  /// [gold][predicted], with zeros: all gold labels by all labels of the model.
  std::map<std::string, std::map<std::string, std::size_t>> confusion;
  std::map<std::string, std::size_t> unseen_labels;  ///< gold labels the model lacks
};

/// Evaluates predictions that are added one after another.
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
  /// The same for a label that need not be the most probable one, such as a tagger's.
  /// `gold_probability` is ignored when the model lacks the gold label.
  void add(std::string_view gold, std::size_t predicted, double gold_probability,
           std::string_view group = {});
  /// The label that add() takes as predicted: the most probable one, the first on a tie.
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

/// Whether all tags have the form B-TYPE, I-TYPE, E-TYPE, S-TYPE or O, and not all are O.
bool mark_spans(std::span<const std::string> tags);

/// Numbers of spans in one or more sentences, as conlleval counts them: a span is right if
/// its first token, its last token and its type are right.
struct SpanCounts {
  std::uint64_t right = 0;
  std::uint64_t gold = 0;
  std::uint64_t predicted = 0;

  SpanCounts& operator+=(const SpanCounts& other);
  double precision() const;
  double recall() const;
  double f1() const;
};

/// The spans of a sentence, counted by type; tags without a type count under "".
std::map<std::string, SpanCounts> count_spans(std::span<const std::string_view> gold,
                                              std::span<const std::string_view> predicted);

/// The tags predicted for one sentence. Arrays are [tokens].
struct TaggedSentence {
  std::span<const std::string_view> gold;
  std::span<const std::uint32_t> predicted;    ///< ids of the model's labels
  std::span<const double> gold_probability;    ///< p(gold | gold previous tag, x)
  std::span<const std::uint8_t> unknown = {};  ///< 1: training has not seen the word
  std::string_view group = {};                 ///< the document
};

struct TaggingEvaluation {
  Evaluation tokens;  ///< its f1 is the span F1 if tags mark spans
  std::size_t sentences = 0;
  double sentence_accuracy = 0;  ///< the share of sentences with every tag right
  std::optional<SpanCounts> spans;
  std::map<std::string, SpanCounts> types;
  std::array<double, 2> f1_interval{};  ///< 95%, bootstrap over documents, else sentences
  std::optional<std::size_t> unknown_tokens;  ///< set if TaggedSentence::unknown is given
  double unknown_accuracy = 0;
};

/// Evaluates tagged sentences that are added one after another.
class TaggingEvaluator {
 public:
  explicit TaggingEvaluator(std::vector<std::string> labels);
  void add(const TaggedSentence& sentence);
  TaggingEvaluation result(std::uint64_t seed) const;
  /// Spans of each sentence added so far, for significance tests.
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

/// The p-value of a difference in span F1 by approximate randomisation (Noreen 1989): how
/// often swapping the outputs of the two systems on a random half of the sentences gives a
/// difference as large as the observed one. Two-sided, (1 + hits) / (1 + 10000 shuffles).
/// `a` and `b` are spans of the same sentences.
double f1_randomisation_p(std::span<const SpanCounts> a, std::span<const SpanCounts> b,
                          std::uint64_t seed);

/// McNemar's test of two systems on the same rows.
struct McNemar {
  std::size_t only_a = 0;  ///< number of rows that only a has right
  std::size_t only_b = 0;
  bool exact = false;  ///< binomial; else chi-square with continuity correction
  double p = 1;        ///< two-sided
};

/// Ignores rows that both systems get right or both get wrong. If the two were equally
/// good, each of the other rows would be a fair coin toss. With up to 25 of them, the test
/// is exact.
McNemar mcnemar(std::size_t only_a, std::size_t only_b);
/// From the hits (1 right, 0 wrong) of two systems on the same rows.
McNemar mcnemar(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

/// P-values after Holm's step-down correction, in the order given. If each is compared with
/// a level, the probability of any false positive among them is at most that level.
std::vector<double> holm(std::span<const double> p);

/// The 95% percentile bootstrap interval of mean(a) - mean(b), with rows resampled in
/// pairs. Rows of a group are resampled together. `group` is empty, or [rows] with kNone
/// for rows without a group.
std::array<double, 2> paired_interval(std::span<const double> a, std::span<const double> b,
                                      std::span<const std::uint32_t> group,
                                      std::uint64_t seed);

/// The share of the other system's errors that the better one avoids: 0.5 if it makes half
/// as many errors, negative if it makes more, 0 if the other makes none.
double error_reduction(double better_score, double other_score);

/// The rows whose predicted label has a probability in [from, to].
struct ReliabilityBin {
  double from = 0, to = 0;
  std::size_t count = 0;
  double confidence = 0;  ///< mean probability of the predicted label
  double accuracy = 0;    ///< how often it was right
};

/// Whether the probabilities of predicted labels match how often they are right.
struct Reliability {
  std::vector<ReliabilityBin> bins;  ///< the non-empty ones of ten bins, ascending
  double calibration_error = 0;      ///< mean of |confidence - accuracy| over rows (ECE)
};

/// Computes the reliability of predictions that are added one after another.
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

/// KL(p || q) in nats of two unigram models, given counts of each feature. A feature with a
/// count in either has the probability (count + smoothing) / (total + smoothing V), where V
/// is the number of such features.
double kl_divergence(std::span<const double> p, std::span<const double> q,
                     double smoothing);

/// The Jensen-Shannon divergence in bits of the relative frequencies of two counts. It is
/// in [0, 1] and needs no smoothing. If just one of the two is all zero, it is 1.
double jensen_shannon(std::span<const double> p, std::span<const double> q);

/// The probability that a random score of `high` exceeds one of `low`; ties count half.
/// Neither may be empty.
double area_under_curve(std::span<const double> high, std::span<const double> low);

}  // namespace megadapt
