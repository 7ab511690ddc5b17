#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/sequence_encoder.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// Makes rows of tagged sentences for a data set whose vocabulary grows with them: tokens
/// with the features of the gold tag before them, or marked spans.
class TaggedBuilder {
 public:
  /// By the templates of recipe.task, whose columns are known; without a task for tokens
  /// that have named features, to which the tag before them comes. `data` must outlive the
  /// builder.
  TaggedBuilder(Dataset& data, const Recipe& recipe);
  ~TaggedBuilder();

  void add(const Sentence& sentence, std::uint32_t domain, std::uint32_t group);
  void add(std::span<const NamedToken> tokens, std::span<const std::string> tags,
           std::uint32_t domain, std::uint32_t group);
  /// The group of a domain's or file's sentence that belongs to no document: 50 in a row
  /// stay together.
  std::uint32_t group_of_run(std::string_view name, std::size_t sentence);

  /// After features were dropped; `new_id` is what dropping returned.
  void renumber(const std::vector<std::uint32_t>& new_id);
  /// Once all rows are there: settles which features are made of tags and which scheme is
  /// in force, `scheme` or, for "", the one that the data follows.
  void finish(std::string_view scheme);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
