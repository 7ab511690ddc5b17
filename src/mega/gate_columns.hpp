#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// The rows that have each gate feature, ordered by domain. Sweeps over presence
/// probabilities read them column by column.
class GateColumns {
 public:
  GateColumns(const Dataset& data, std::vector<std::uint32_t> features);

  std::size_t size() const { return features_.size(); }
  /// Returns the data set's id of gate feature `g`.
  std::uint32_t feature(std::size_t g) const { return features_[g]; }
  std::span<const std::uint32_t> features() const { return features_; }

  /// Returns the rows of `domain`, or of all domains for kNone, that have gate feature `g`.
  std::span<const std::uint32_t> rows(std::size_t g, std::uint32_t domain) const {
    return domain == kNone ? range(g * K_, g * K_ + K_)
                           : range(g * K_ + domain, g * K_ + domain + 1);
  }
  /// Gate features that some row of `domain` has, and those that no row of it has. For
  /// `domain`, kNone means all domains.
  std::span<const std::uint32_t> seen(std::uint32_t domain) const {
    return seen_[domain == kNone ? K_ : domain];
  }
  std::span<const std::uint32_t> unseen(std::uint32_t domain) const {
    return unseen_[domain == kNone ? K_ : domain];
  }

 private:
  std::span<const std::uint32_t> range(std::size_t from, std::size_t to) const {
    return {row_.data() + begin_[from], row_.data() + begin_[to]};
  }

  std::size_t K_;
  std::vector<std::uint32_t> features_;
  std::vector<std::uint64_t> begin_;  // [G][K], then the end
  std::vector<std::uint32_t> row_;
  std::vector<std::vector<std::uint32_t>> seen_, unseen_;  // [K], then for all domains
};

/// Returns the features that the gate may see, ascending. It never sees the bias, a feature
/// that no row has, or one of the previous tag: P(general | x) of a token must not depend
/// on that tag (D&M06 §3.3). Of the other features, returns the `count` with the most
/// information about a row's domain (D&M06 §6.3); 0 means all.
std::vector<std::uint32_t> choose_gate_features(const Dataset& data, std::size_t count,
                                                const Execution& exec);

}  // namespace megadapt
