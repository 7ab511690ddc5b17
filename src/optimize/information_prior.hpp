#pragma once

#include "optimize/maxent.hpp"

namespace megadapt {

/// Returns the factor [F] of each feature's prior precision: k (1 + I_f)^exponent, where
/// I_f is the information about the weights of feature f in rows of these weights
/// (docs/derivation.md §7). k keeps the prior variance of a row's scores, averaged over
/// rows, unchanged. Empty for exponent 0. Sums go over the rows of all ranks.
std::vector<double> information_factor(const Dataset& data,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks);

/// Returns log p(weights) under the prior, without constants. `weights` is [F][Y].
double gaussian_log_prior(std::span<const double> weights, const GaussianPrior& prior);

}  // namespace megadapt
