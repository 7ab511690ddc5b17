#pragma once

#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

struct CrossFittedOptions {
  double variance = 1;             ///< sigma^2 of the general expert's weights
  double specific_variance = 0.3;  ///< of the target's own expert
  double prior_exponent = 0.3;     ///< as of information_factor()
  /// Which predictions judge the experts' mixing weight.
  EStep evidence = EStep::cross_fit;
  int folds = 5;  ///< of cross_fit
  Centre centre = Centre::others;
  bool learn_share = true;
  double first_share = 0.5;  ///< pi of the target: where the search starts, or pi itself
  double tolerance = 1e-4;
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  std::uint64_t seed = 1;  ///< deals rows into folds
  std::function<void(const MixtureStep&)> on_step = {};
  std::function<void(double fraction)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< after each expert's fit
  std::span<const double> start = {};  ///< of the general expert, [F][Y]; empty: 0
};

/// A general expert trained on all rows and one of the target's own rows, mixed by one
/// number pi. Both experts see whole rows, and pi is chosen by target rows that the experts
/// have not seen (docs/derivation.md §7). The other domains have the general expert alone.
///
///     Mixture model = fit_cross_fitted(data, target, {.variance = 0.1}, exec);
///
/// The corners are `mix` (pi = 1) and, with Centre::others, `prior` (pi = 0). Needs two or
/// more domains. Throws UsageError when a domain has no weighted row or a starting share
/// makes no sense; NumericError, naming the component, when a value is not finite.
Mixture fit_cross_fitted(const Dataset& data, std::uint32_t target,
                         const CrossFittedOptions& options, const Execution& exec);

/// log p(y_n | x_n) of the target's rows, in the order of rows_of(target), by experts that
/// have not seen the row, as `options.evidence` says.
struct CrossFittedEvidence {
  std::vector<double> general;
  std::vector<double> specific;
};
CrossFittedEvidence cross_fitted_evidence(const Dataset& data, std::uint32_t target,
                                          const CrossFittedOptions& options,
                                          const Execution& exec);

}  // namespace megadapt
