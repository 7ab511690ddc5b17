#pragma once

#include "optimize/maxent.hpp"

namespace megadapt {

/// The rows of a fit, with their labels.
struct LabelledRows {
  const SparseRows& data;
  std::uint32_t num_features;
  std::span<const std::uint32_t> label;  // [data]
  std::uint32_t num_labels;
  std::span<const std::size_t> rows;  ///< the rows of `data` that take part
  const SoftLabels& soft;             ///< of `data`
};

/// Returns the factor [F] of each feature's prior precision: k (1 + I_f)^exponent, where
/// I_f is the information about the weights of feature f in the rows, weighted by
/// `row_weight` [rows] (docs/derivation.md §7). k keeps the prior variance of a row's
/// scores, averaged over rows, unchanged. Empty for exponent 0. Sums go over the rows of
/// all ranks.
///
/// I_f depends on labels, so pass the rows of the fit and no others. If labels of held-out
/// rows are counted, predictions for these rows look far better than they are.
std::vector<double> information_factor(const LabelledRows& rows,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks);

/// The same for some rows of a data set. An empty `row_weight` means the data set's own.
std::vector<double> information_factor(const Dataset& data,
                                       std::span<const std::size_t> rows,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks);

/// Returns log p(weights) under the prior, without constants. `weights` is [F][Y].
double gaussian_log_prior(std::span<const double> weights, const GaussianPrior& prior);

}  // namespace megadapt
