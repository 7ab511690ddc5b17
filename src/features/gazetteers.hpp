#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "features/features.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::features {

/// The phrases of one gazetteer as a tree of lower-cased words.
class PhraseTree {
 public:
  explicit PhraseTree(std::string_view entries);

  /// Marks each of `words`, which must be lower-cased: 0 outside of phrases, 1 at the first
  /// word of one, 2 at its other words. From left to right, the longest phrase wins.
  void mark(const std::vector<std::string_view>& words,
            std::vector<std::uint8_t>& marks) const;

 private:
  static constexpr std::uint32_t kRoot = 0;
  static std::uint64_t key(std::uint32_t node, std::uint32_t word) {
    return (std::uint64_t{node} << 32) | word;
  }
  void add(std::string_view phrase);

  NameIndex words_;
  std::unordered_map<std::uint64_t, std::uint32_t> child_;
  std::vector<bool> ends_{false};  // [nodes]; whether a phrase ends at the node
};

}  // namespace megadapt::features
