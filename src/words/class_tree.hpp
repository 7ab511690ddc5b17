#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "words/exchange.hpp"

namespace megadapt::words {

/// Merges classes two by two, each time the two whose union costs the class bigram model the
/// least likelihood (Brown et al. 1992), until one is left. Cuts of this tree are nested:
/// every class of a larger cut lies within one class of a smaller cut.
class ClassTree {
 public:
  /// Calls `on_step`, unless it is empty, with the share of the work that is done. Throws
  /// Interrupted soon after the stop flag of `exec` is set.
  ClassTree(const Exchange& classes, const Execution& exec,
            const std::function<void(double)>& on_step = {});

  /// Returns [classes]: the class of each class when `size` are left. They are numbered in
  /// the order of the leaves of the tree, so that classes of near numbers are alike.
  std::vector<std::uint32_t> cut(std::uint32_t size) const;
  /// The classes that each merge joins, in order; the first one takes the second one in.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& merges() const {
    return merges_;
  }

 private:
  std::uint32_t classes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> merges_;
  std::vector<std::uint32_t> leaf_;  // [classes]: place among the leaves, from the left
};

}  // namespace megadapt::words
