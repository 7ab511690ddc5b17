#pragma once

#include <optional>
#include <vector>

#include "evaluation/tuner.hpp"

namespace megadapt {

/// Plans to tune, train and test `systems` once for each of `splits` test splits. A limit
/// shortens searches first, and then leaves out systems. A plan within a number of passes
/// does not depend on the machine.
class WorkPlanner {
 public:
  /// `tuner` has all training rows.
  WorkPlanner(const Tuner& tuner, std::vector<const System*> systems, std::size_t splits,
              const CompareOptions& options, int threads);

  WorkPlan without_limit() const;
  WorkPlan within(double passes) const;
  /// Returns how many passes this machine makes in `seconds`, rounded so that a user can
  /// type the number.
  double passes_in(double seconds) const;

 private:
  struct Share {
    const System* system;
    double search = 0;  // expected work of the search, at the speed of mix
    double first = 0;   // of its first settings alone
    double fit = 0;     // of the final fits
    bool asked = true;  // false: only tuned, as the member of a combination
  };

  bool is_searched(const System& system) const;
  std::vector<Share> shares_of(const std::vector<const System*>& systems) const;
  double seconds(double passes) const;

  std::vector<const System*> systems_;
  std::size_t splits_;
  const CompareOptions& options_;
  double threads_;      // how much faster they are than one
  double fold_passes_;  // of a fit of mix on all folds
  double fit_passes_;   // of one on all rows
  double speed_;        // passes in a second, on one thread
};

}  // namespace megadapt
