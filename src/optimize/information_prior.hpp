#pragma once

#include "optimize/maxent.hpp"

namespace megadapt {

/// The factor of each feature's prior precision, [F]: k (1 + I_f)^exponent, where I_f is
/// the information that rows of these weights have about the weights of feature f
/// (docs/derivation.md §7). k keeps the prior variance of a row's scores, in the mean over
/// rows, at what it is without factors. Empty for the exponent 0, where all features are
/// alike. Sums go over the rows of all ranks.
std::vector<double> information_factor(const Dataset& data,
                                       std::span<const double> row_weight, double exponent,
                                       Communicator& ranks);

/// log p(weights) under the prior, without constants. `weights` is [F][Y].
double gaussian_log_prior(std::span<const double> weights, const GaussianPrior& prior);

}  // namespace megadapt
