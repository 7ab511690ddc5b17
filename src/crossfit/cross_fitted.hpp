#pragma once

#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

struct CrossFittedOptions {
  double variance = 1;             ///< sigma^2 of the general expert's weights
  double specific_variance = 0.3;  ///< of the target's own expert
  double prior_exponent = 0.3;     ///< see information_factor()
  /// Which predictions of the experts pi is fitted to.
  EStep evidence = EStep::cross_fit;
  int folds = 5;  ///< of cross_fit
  Centre centre = Centre::others;
  bool learn_share = true;
  double first_share = 0.5;  ///< initial pi of the target, or pi if not learnt
  double tolerance = 1e-4;
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  std::uint64_t seed = 1;  ///< deals rows into folds
  std::function<void(const MixtureStep&)> on_step = {};
  std::function<void(double fraction)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< after each expert's fit
  std::span<const double> start = {};  ///< first general weights [F][Y]; empty: 0
};

/// Fits a general expert to all rows and a specific one to the target's rows, mixed by one
/// number pi. Both experts see whole rows; pi is chosen on target rows that they have not
/// seen (docs/derivation.md §7). The other domains have the general expert alone.
///
///     Mixture model = fit_cross_fitted(data, target, {.variance = 0.1}, exec);
///
/// pi = 1 gives `mix` and, with Centre::others, pi = 0 gives `prior`. Needs two or more
/// domains. Throws UsageError if a domain has no weighted row or first_share is not
/// allowed, and NumericError, naming the component, if a value is not finite.
Mixture fit_cross_fitted(const Dataset& data, std::uint32_t target,
                         const CrossFittedOptions& options, const Execution& exec);

/// log p(y_n | x_n) of the target's rows, in the order of rows_of(target), predicted in the
/// way that `options.evidence` names.
struct CrossFittedEvidence {
  std::vector<double> general;
  std::vector<double> specific;
};
CrossFittedEvidence cross_fitted_evidence(const Dataset& data, std::uint32_t target,
                                          const CrossFittedOptions& options,
                                          const Execution& exec);

}  // namespace megadapt
