#pragma once

#include <span>
#include <vector>

#include "mega/gate_columns.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// Input of the M-step of one component's presence probabilities.
struct PresenceStep {
  const GateColumns& columns;
  std::uint32_t domain;                    ///< the component's; kNone: general
  RowIds rows;                             ///< rows of that domain, or all
  std::span<const double> responsibility;  ///< [N]; v_n P(component | x_n, y_n)
  std::span<const double> prior_mass;      ///< [N]; v_n P(component | x_n), the initial r_n
  BetaPrior prior;
  int sweeps;
  bool want_gain = true;  ///< whether to compute the gain
};

/// Maximises the bound on the conditional likelihood over psi of one component by
/// coordinate sweeps (docs/derivation.md §5), in O(non-zeros) per sweep. `presence` is [F];
/// only gate features are read and written. Returns the bound's gain, which is never
/// negative, or 0 if step.want_gain is false.
double maximise_presence(const PresenceStep& step, std::vector<double>& presence);

/// Does the same for all gate features at once, by L-BFGS over logit psi
/// (docs/derivation.md §5.1): at most 4 iterations for each of step.sweeps. Rows may lie on
/// several ranks.
double maximise_presence_jointly(const Dataset& data, const PresenceStep& step,
                                 std::vector<double>& presence, const Execution& exec);

}  // namespace megadapt
