#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dataset/reading/sequence_encoder.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// Which tags may follow each other, start a sentence or end one.
class TagTransitions {
 public:
  TagTransitions(std::span<const std::string> tags, TagScheme scheme);
  /// Allows everything.
  explicit TagTransitions(std::uint32_t num_tags);

  std::uint32_t num_tags() const { return num_tags_; }
  bool restricted() const { return restricted_; }
  /// Returns a number for each tag: 1 if it may follow `previous`, else 0. If `previous` is
  /// kNone, 1 means that the tag may start a sentence.
  std::span<const double> after(std::uint32_t previous) const {
    const std::size_t row = previous == kNone ? num_tags_ : previous;
    return {allowed_.data() + row * num_tags_, num_tags_};
  }
  /// Returns a number for each tag: 1 if it may end a sentence, else 0.
  std::span<const double> at_end() const {
    return {allowed_.data() + std::size_t{num_tags_ + 1} * num_tags_, num_tags_};
  }

 private:
  std::uint32_t num_tags_;
  bool restricted_;
  std::vector<double> allowed_;  // [Y + 2][Y]; after each tag, at the start, at the end
};

/// One sentence under a first-order tagger (D&M06 §3.3): p(tag | previous tag, x_t).
class LocalModel {
 public:
  virtual ~LocalModel() = default;
  virtual std::size_t size() const = 0;  ///< number of tokens
  virtual std::uint32_t num_tags() const = 0;
  /// Writes p(. | previous_e, x_t) for each previous tag: [E][Y]. At the first token, the
  /// only previous tag is kNone.
  virtual void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                             std::span<double> probability) const = 0;
};

/// Returns the most probable allowed tags of a sentence by exact search (Viterbi); on a
/// tie, the first. With a `beam`, keeps only that many tags per token. If no sequence is
/// allowed (say, the label set has neither O nor B), every sequence counts as allowed.
/// Throws NumericError if the probabilities are not numbers.
TagSequence best_tags(const LocalModel& sentence, const TagTransitions& transitions,
                      std::size_t beam = 0);

/// Returns up to `count` of the most probable allowed sequences, best first.
std::vector<TagSequence> n_best_tags(const LocalModel& sentence,
                                     const TagTransitions& transitions, std::size_t count);

/// Returns P(tag of token t | x) given that the sequence is allowed: [T][Y].
std::vector<double> tag_marginals(const LocalModel& sentence,
                                  const TagTransitions& transitions);

/// Returns sum_t log p(tag_t | tag_{t-1}, x_t).
double log_probability(const LocalModel& sentence, std::span<const std::uint32_t> tags);

/// Writes p(tag | previous tag, x) of a token: [E][Y]. `context` holds the features of the
/// words, `templates` [K] those of the previous tag. A template is empty or [tags + 1]; its
/// last entry is for the start of a sentence, and kNone means no feature.
void predict_after(const Predictor& predictor, RowView context,
                   std::span<const std::span<const std::uint32_t>> templates,
                   std::uint32_t domain, std::span<const std::uint32_t> previous,
                   std::span<double> probability);

/// A token as a row of features, including those of the previous tag.
struct TokenRow {
  std::vector<std::uint32_t> features;
  std::vector<float> values;  ///< empty if all are 1
  RowView view() const { return {features, values}; }
};

/// Encodes one sentence after another for a trained model: text, or tokens with named
/// features if the model has no task. Use one per thread.
class EncodedSentence final : public LocalModel {
 public:
  /// `model` must outlive this object.
  explicit EncodedSentence(const Model& model);
  /// Reads a sentence of `domain`. The other calls refer to it.
  void read(const Sentence& sentence, std::uint32_t domain) {
    domain_ = domain;
    encoder_.encode(sentence);
  }
  void read(std::span<const NamedToken> tokens, std::uint32_t domain) {
    domain_ = domain;
    encoder_.encode(tokens);
  }

  std::size_t size() const override { return encoder_.size(); }
  std::uint32_t num_tags() const override { return model_.predictor->num_labels(); }
  void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                     std::span<double> probability) const override;
  /// Returns P(general | x_t) if the model has a gate.
  std::optional<double> general(std::size_t t) const;
  TokenRow row_after(std::size_t t, std::uint32_t previous) const;
  std::size_t unseen() const { return encoder_.unseen(); }

 private:
  RowView context(std::size_t t) const { return {encoder_.context(t), encoder_.values(t)}; }

  const Model& model_;
  std::uint32_t domain_ = 0;
  SequenceEncoder encoder_;
};

/// One sentence, rows [first, last) of a data set, under a predictor.
class DatasetSentence final : public LocalModel {
 public:
  DatasetSentence(const Predictor& predictor, const Dataset& data, std::size_t first,
                  std::size_t last, std::uint32_t domain)
      : predictor_(predictor), data_(data), first_(first), last_(last), domain_(domain) {}

  std::size_t size() const override { return last_ - first_; }
  std::uint32_t num_tags() const override { return predictor_.num_labels(); }
  void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                     std::span<double> probability) const override;
  TokenRow row_after(std::size_t t, std::uint32_t previous) const;

 private:
  const Predictor& predictor_;
  const Dataset& data_;
  std::size_t first_, last_;
  std::uint32_t domain_;
};

/// Returns the best tags of the rows, which must be whole sentences of `data`.
std::vector<std::uint32_t> tag_rows(const Predictor& predictor, const Dataset& data,
                                    RowIds rows, std::uint32_t domain,
                                    const TagTransitions& transitions,
                                    const Execution& exec);

/// Returns the feature that a template gives after the tag `previous`, or kNone. `row` is
/// [tags + 1], or empty if the template gives nothing at this token.
inline std::uint32_t feature_after(std::span<const std::uint32_t> row,
                                   std::uint32_t previous) {
  if (row.empty() || previous == kUnseenTag) return kNone;
  return previous == kNone ? row.back() : row[previous];
}

/// Divides by the largest value and adds its logarithm to `log_scale`. Returns false and
/// changes nothing if no value is above 0.
inline bool rescale_by_largest(std::span<double> values, double& log_scale) {
  const double largest = *std::max_element(values.begin(), values.end());
  if (!(largest > 0)) return false;
  for (double& value : values) value /= largest;
  log_scale += std::log(largest);
  return true;
}

/// Returns the pieces [first, last) of `rows` that each are one sentence of `data`.
std::vector<std::pair<std::size_t, std::size_t>> sentence_pieces(const Dataset& data,
                                                                 RowIds rows);

}  // namespace megadapt
