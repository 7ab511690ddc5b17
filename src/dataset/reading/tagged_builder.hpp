#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/reading/sequence_encoder.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// Adds tagged sentences to a data set and their names to its vocabulary. The rows are
/// tokens, with features of the gold tag before them, or marked spans.
class TaggedBuilder {
 public:
  /// Uses the templates of recipe.task, whose columns must be set. Without a task, tokens
  /// have named features and the previous tag. `data` must outlive the builder.
  TaggedBuilder(Dataset& data, const Recipe& recipe);
  ~TaggedBuilder();

  void add(const Sentence& sentence, std::uint32_t domain, std::uint32_t group);
  void add(std::span<const NamedToken> tokens, std::span<const std::string> tags,
           std::uint32_t domain, std::uint32_t group);
  /// Returns the group of a sentence that belongs to no document: 50 consecutive sentences
  /// of the file or domain `name` form a group.
  std::uint32_t group_of_run(std::string_view name, std::size_t sentence);

  /// Replaces old feature ids by new ones. Call this whenever features were dropped:
  /// `new_id` is what keep_features(), drop_columns() or drop_rare_features() returned.
  void renumber(const std::vector<std::uint32_t>& new_id);
  /// Call this after the last row. Sets which features are made from tags, and the tag
  /// scheme: `scheme`, or the one that the data follows if `scheme` is "".
  void finish(std::string_view scheme);
  /// How the tokens added so far split words; for TaskOptions::tokens.
  TokenRules token_rules() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
