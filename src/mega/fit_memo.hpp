#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "optimize/maxent.hpp"

namespace megadapt {

/// The weights of earlier fits, by all that they depend on. A search for settings fits the
/// experts of the first round again and again: that round depends neither on the E-step nor
/// on the gate. Must not be used by concurrent fits.
class FitMemo {
 public:
  using Key = std::array<std::uint64_t, 2>;

  /// Returns a digest of the rows, labels and domains.
  static Key key_of(const Dataset& data);
  /// Returns a digest of what a fit of the expert `name` depends on. `data` is the digest
  /// of the data set.
  static Key key_of(const Key& data, std::string_view name,
                    std::span<const double> row_weight, const MaxentOptions& options);

  /// Returns the weights that were kept under `key`; null if there are none (any more).
  const std::vector<double>* find(const Key& key) const;
  /// Forgets the oldest weights if all together would take too much memory.
  void keep(const Key& key, const std::vector<double>& weights);

 private:
  std::list<std::pair<Key, std::vector<double>>> fits_;  // the oldest first
  std::size_t bytes_ = 0;
};

}  // namespace megadapt
