#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// For each gate feature the rows that have it, ordered by domain: what a sweep over
/// presence probabilities walks.
class GateColumns {
 public:
  GateColumns(const Dataset& data, std::vector<std::uint32_t> features);

  std::size_t size() const { return features_.size(); }
  /// The data set's id of gate feature `g`.
  std::uint32_t feature(std::size_t g) const { return features_[g]; }
  std::span<const std::uint32_t> features() const { return features_; }

  /// Rows of a domain, or of all where it is kNone, that have gate feature `g`.
  std::span<const std::uint32_t> rows(std::size_t g, std::uint32_t domain) const {
    return domain == kNone ? range(g * K_, g * K_ + K_)
                           : range(g * K_ + domain, g * K_ + domain + 1);
  }
  /// Gate features that some row of the domain has, or of any where it is kNone; and those
  /// that none has.
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
  std::vector<std::uint64_t> begin_;  // [G][K], and the end
  std::vector<std::uint32_t> row_;
  std::vector<std::vector<std::uint32_t>> seen_, unseen_;  // [K], and of all
};

/// The features the gate may see, ascending: never the bias, a feature of the previous tag
/// (so z is one number per token, D&M06 §3.3) or one that no row has; of the rest the
/// `count` with the most information about the domain of a row (D&M06 §6.3), or all for 0.
std::vector<std::uint32_t> choose_gate_features(const Dataset& data, std::size_t count,
                                                const Execution& exec);

}  // namespace megadapt
