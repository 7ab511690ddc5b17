#pragma once

#include <optional>

#include "megadapt/systems.hpp"
#include "systems/pool_weights.hpp"

namespace megadapt {

/// A model of the pool: mix, prior or easyadapt, and what it is fitted with.
struct PoolMember {
  const System* system;
  Options options;
  std::optional<double> weight = {};  ///< its exponent; else the fit finds it
};

/// Returns the members that `options` ask for. Without Options::members these are mix,
/// prior and easyadapt with one prior: `variance` for weights fitted to all rows or to the
/// source's, `specific_variance` for the target's deviation. `options` must be completed.
std::vector<PoolMember> pool_members(const Options& options);

/// Returns the scores of the target's rows, in the order of rows_of(target), by members that
/// were fitted without the row's fold. Returns nothing if the rows are too few to tell: no
/// two folds, or a fold without which the target has no weight left. Groups stay together.
std::optional<UnseenScores> unseen_scores(const Dataset& data, std::uint32_t target,
                                          const std::vector<PoolMember>& members,
                                          const Options& options,
                                          const FitContext& context);

}  // namespace megadapt
