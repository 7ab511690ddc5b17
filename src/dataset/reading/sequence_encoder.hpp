#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/features.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// Consecutive sentences that form a group where there are no documents.
inline constexpr std::size_t kRunOfSentences = 50;

/// Parses the templates of `task`, whose columns must be set. Throws InputError.
FeatureTemplate template_of(const TaskOptions& task);

/// The features of a token by name, with their values.
using NamedToken = std::vector<std::pair<std::string, float>>;

/// Turns sentences into ids of a fixed vocabulary, for decoding. Each thread needs its own.
class SequenceEncoder {
 public:
  /// Without a task, tokens have named features and the previous tag. `features` must
  /// outlive the encoder. `tags` are the labels in the order of their ids.
  SequenceEncoder(const std::optional<TaskOptions>& task, NameIndexView features,
                  const std::vector<std::string>& tags);
  ~SequenceEncoder();
  SequenceEncoder(SequenceEncoder&&) noexcept;

  /// Encodes a sentence. The functions below describe it until the next call.
  void encode(const Sentence& sentence);
  void encode(std::span<const NamedToken> tokens);
  std::size_t size() const;  ///< number of rows: the tokens, or 1 for a span
  /// The known features of row `t`, with the bias but without features of tags.
  std::span<const std::uint32_t> context(std::size_t t) const;
  std::span<const float> values(std::size_t t) const;  ///< of context(); empty: all are 1
  std::size_t num_tag_templates() const;
  /// [tags + 1]: the feature of tag template `k` at row `t` for each previous tag and,
  /// last, for the start of the sentence; kNone if training never saw it. Empty if the
  /// template gives no feature here.
  std::span<const std::uint32_t> tag_features(std::size_t t, std::size_t k) const;
  std::size_t unseen() const;  ///< number of unknown context features so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
