#pragma once

#include <memory>
#include <span>

#include "dataset/reading/sequence_encoder.hpp"

namespace megadapt {

/// Sentences without tags over the schema of `train`, as rows of one domain. The rows of
/// tokens lack the features of the previous tag; Dataset::tag_slots has them for every tag.
///
///     UntaggedRows rows(train, target);
///     rows.add(sentence);
///     train.unlabelled = std::make_shared<Dataset>(rows.finish());
class UntaggedRows {
 public:
  UntaggedRows(const Dataset& train, std::uint32_t domain);
  ~UntaggedRows();
  void add(const Sentence& sentence);
  /// If the recipe of `train` has no task: tokens with named features.
  void add(std::span<const NamedToken> tokens);
  std::size_t size() const;  ///< number of rows so far
  Dataset finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
