#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
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

}  // namespace megadapt
