#pragma once

#include "systems/fitting.hpp"

namespace megadapt {

/// The maximum entropy problem of EasyAdapt (Daumé 2007): every feature has a shared copy,
/// which all rows use, and one copy for each of some domains, which only their rows use.
/// With separate variances for shared and specific copies this is the hierarchical prior of
/// Finkel and Manning (2009).
///
/// The prior precisions of the shared copies follow the information in all rows, those of a
/// domain's copies the information in its own rows.
class FeatureCopies {
 public:
  /// `data` must outlive the problem. `domains` have copies of their own; `options` give
  /// the variances, and specific_variance must have a value.
  FeatureCopies(const Dataset& data, std::vector<std::uint32_t> domains,
                const Options& options, const Execution& exec);
  FeatureCopies(const FeatureCopies&) = delete;
  FeatureCopies& operator=(const FeatureCopies&) = delete;

  /// Returns the weights [1 + domains][F][Y]: the shared ones, then those of each domain's
  /// copies. `row_weight` is [N]; `start` has the shape of the result or is empty. The fit
  /// stops at `tolerance`.
  std::vector<double> fit(std::span<const double> row_weight, std::span<const double> start,
                          double tolerance, const FitContext& context) const;

  /// Returns the sum of the shared weights and the specific ones of domains[i]: [F][Y].
  std::vector<double> expert(std::span<const double> weights, std::size_t i) const;

 private:
  std::vector<double> prior_factor(std::span<const double> row_weight,
                                   Communicator& ranks) const;

  const Dataset& data_;
  std::vector<std::uint32_t> domains_;
  Options options_;
  SparseRows rows_;  // problem_ refers to them
  MaxentProblem problem_;
};

}  // namespace megadapt
