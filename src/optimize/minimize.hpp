#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "optimize/maxent_objective.hpp"

namespace megadapt {

inline constexpr std::size_t kGrain = 1 << 15;  ///< weights per parallel task
inline constexpr int kMostHalvings = 40;        ///< of a step that does not descend

struct MinimizeOptions {
  double tolerance = 1e-4;  ///< estimated (f - f*) / f* at which to stop
  int max_passes = 1000;
  double min_gain = 0;  ///< L-BFGS: stop when an iteration lowers f by less than this
  std::function<void(double objective, double gap)> on_iteration;
};

struct Minimum {
  double objective = 0;
  double gap = 0;  ///< estimated (f - f*) / f*
  bool converged = false;
};

/// Truncated Newton: each step solves H s = -g by conjugate gradients, preconditioned by
/// the diagonal of H, and stops early where the quadratic model is not reliable.
template <class Real>
Minimum minimize_newton_cg(MaxentObjective<Real>& objective, std::vector<Real>& point,
                           const MinimizeOptions& options);

/// L-BFGS; the initial inverse Hessian is the inverse diagonal of H at the start. Objective
/// is a MaxentObjective or a CandidateObjective.
template <class Objective, class Real>
Minimum minimize_lbfgs(Objective& objective, std::vector<Real>& point,
                       const MinimizeOptions& options);

}  // namespace megadapt
