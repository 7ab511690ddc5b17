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

#include "dataset/sequence_encoder.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/model.hpp"
#include "megadapt/models.hpp"

namespace megadapt {

/// Which tag may follow which, begin a sentence or end one.
class TagTransitions {
 public:
  TagTransitions(std::span<const std::string> tags, TagScheme scheme);
  /// Everything may follow everything.
  explicit TagTransitions(std::uint32_t num_tags);

  std::uint32_t num_tags() const { return num_tags_; }
  bool restricted() const { return restricted_; }
  /// 1 where the tag may follow `previous`, else 0: [Y]. kNone is the begin of a sentence.
  std::span<const double> after(std::uint32_t previous) const {
    const std::size_t row = previous == kNone ? num_tags_ : previous;
    return {allowed_.data() + row * num_tags_, num_tags_};
  }
  /// 1 where a sentence may end with the tag: [Y].
  std::span<const double> at_end() const {
    return {allowed_.data() + std::size_t{num_tags_ + 1} * num_tags_, num_tags_};
  }

 private:
  std::uint32_t num_tags_;
  bool restricted_;
  std::vector<double> allowed_;  // [Y + 2][Y]; after each tag, at the begin, at the end
};

/// One sentence under a first-order tagger (D&M06 §3.3): p(tag | previous tag, x_t).
class LocalModel {
 public:
  virtual ~LocalModel() = default;
  virtual std::size_t size() const = 0;  ///< tokens
  virtual std::uint32_t num_tags() const = 0;
  /// Writes p(. | previous_e, x_t) for each previous tag: [E][Y]. Before the first token
  /// `previous` is kNone alone.
  virtual void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                             std::span<double> probability) const = 0;
};

/// The most probable allowed tags of a sentence, exactly (Viterbi); the first of equals.
/// With a `beam`, only that many tags of a token are followed. Where no sequence is allowed
/// (a label set without O and B, say), everything is.
TagSequence best_tags(const LocalModel& sentence, const TagTransitions& transitions,
                      std::size_t beam = 0);

/// The `count` most probable allowed sequences, best first; fewer where there are fewer.
std::vector<TagSequence> n_best_tags(const LocalModel& sentence,
                                     const TagTransitions& transitions, std::size_t count);

/// P(tag of token t | x) among the allowed sequences: [T][Y].
std::vector<double> tag_marginals(const LocalModel& sentence,
                                  const TagTransitions& transitions);

/// sum_t log p(tag_t | tag_{t-1}, x_t).
double log_probability(const LocalModel& sentence, std::span<const std::uint32_t> tags);

/// p(tag | previous tag, x) of a token under any predictor: [E][Y]. `context` are the
/// features of the words, `templates` [K] the features of the previous tag, each [tags + 1]
/// where the last stands for the begin of a sentence, or empty; kNone gives no feature.
void predict_after(const Predictor& predictor, RowView context,
                   std::span<const std::span<const std::uint32_t>> templates,
                   std::uint32_t domain, std::span<const std::uint32_t> previous,
                   std::span<double> probability);

/// A token as a row of features, those of the tag before it included.
struct TokenRow {
  std::vector<std::uint32_t> features;
  std::vector<float> values;  ///< empty when all are 1
  RowView view() const { return {features, values}; }
};

/// Sentence after sentence of text as read, or of tokens with named features where the
/// model has no task, under a trained model. One per thread.
class EncodedSentence final : public LocalModel {
 public:
  /// `model` must outlive this.
  explicit EncodedSentence(const Model& model);
  /// Reads a sentence of `domain`; what follows is about it.
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
  /// P(general | x_t) where the model has a gate.
  std::optional<double> general(std::size_t t) const;
  TokenRow row_after(std::size_t t, std::uint32_t previous) const;
  std::size_t unseen() const { return encoder_.unseen(); }

 private:
  RowView context(std::size_t t) const { return {encoder_.context(t), encoder_.values(t)}; }

  const Model& model_;
  std::uint32_t domain_ = 0;
  SequenceEncoder encoder_;
};

/// Rows [first, last) of a data set, one sentence, under a predictor.
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

/// The best tags of the rows, which are whole sentences of `data`.
std::vector<std::uint32_t> tag_rows(const Predictor& predictor, const Dataset& data,
                                    std::span<const std::size_t> rows, std::uint32_t domain,
                                    const TagTransitions& transitions,
                                    const Execution& exec);

/// The feature that a template gives after the tag `previous`; kNone for none. `row` is
/// [tags + 1], or empty where the template gives nothing at this token.
inline std::uint32_t feature_after(std::span<const std::uint32_t> row,
                                   std::uint32_t previous) {
  if (row.empty() || previous == kUnseenTag) return kNone;
  return previous == kNone ? row.back() : row[previous];
}

/// Divides by the largest value and adds its logarithm to `log_scale`; false, and nothing
/// done, when no value is above 0.
inline bool rescale_by_largest(std::span<double> values, double& log_scale) {
  const double largest = *std::max_element(values.begin(), values.end());
  if (!(largest > 0)) return false;
  for (double& value : values) value /= largest;
  log_scale += std::log(largest);
  return true;
}

/// Pieces [first, last) of `rows` that are one sentence of `data` each.
std::vector<std::pair<std::size_t, std::size_t>> sentence_pieces(
    const Dataset& data, std::span<const std::size_t> rows);

}  // namespace megadapt
