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

/// The templates of `task`, whose columns are known. Throws InputError.
FeatureTemplate template_of(const TaskOptions& task);

/// The features of a token by name, with their values.
using NamedToken = std::vector<std::pair<std::string, float>>;

/// Turns sentences into ids of a fixed vocabulary, for decoding. One per thread.
class SequenceEncoder {
 public:
  /// Without a task, tokens have named features, to which the tag before them comes.
  /// `features` must outlive the encoder. `tags` are the labels in the order of their ids.
  SequenceEncoder(const std::optional<TaskOptions>& task, NameIndexView features,
                  const std::vector<std::string>& tags);
  ~SequenceEncoder();
  SequenceEncoder(SequenceEncoder&&) noexcept;

  /// What follows describes `sentence` until the next call.
  void encode(const Sentence& sentence);
  void encode(std::span<const NamedToken> tokens);
  std::size_t size() const;  ///< rows: tokens, or 1 for a span
  /// Known features of row `t`, the bias included; no features of tags.
  std::span<const std::uint32_t> context(std::size_t t) const;
  std::span<const float> values(std::size_t t) const;  ///< of context(); empty: all are 1
  std::size_t num_tag_templates() const;
  /// The feature of tag template `k` at row `t` after the tag `previous`, where
  /// tags.size() is the start of the sentence; kNone when training never saw it. The span
  /// is [tags + 1], or empty where the template gives no feature.
  std::span<const std::uint32_t> tag_features(std::size_t t, std::size_t k) const;
  std::size_t unseen() const;  ///< context features left out so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
