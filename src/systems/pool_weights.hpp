#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/execution.hpp"

namespace megadapt {

/// Scores of rows by linear models that were fitted without them.
struct UnseenScores {
  std::uint32_t num_labels = 0;
  std::vector<std::uint32_t> label;        // [rows]
  std::vector<double> weight;              // [rows]
  std::vector<std::vector<double>> score;  // [models][rows][Y]: log p(y | x), up to a
                                           // constant of the row
};

/// Returns the exponents w of the product of the models' probabilities, normalised, that
/// minimise
///
///     - sum_n v_n log p(y_n | x_n) + |w - 1/M|^2 / (2 * 0.05)
///
/// for M models. The problem is convex, and Newton's method finds the minimum. Sums go over
/// the rows of all ranks.
std::vector<double> pool_weights(const UnseenScores& scores,
                                 Communicator& ranks = serial_communicator());

/// Returns sum_m w_m lambda_m, the weights of the pooled model: a product of powers of
/// maximum entropy models is a maximum entropy model.
std::vector<double> pooled(const std::vector<std::vector<double>>& lambda,
                           const std::vector<double>& weight);

}  // namespace megadapt
