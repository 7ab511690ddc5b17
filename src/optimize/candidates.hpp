#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// Choices among candidates that have features of their own: example n chooses among the
/// rows begin[n] ... begin[n + 1] of `rows`, and p(c | n) is proportional to exp(w . x_c).
struct Candidates {
  SparseRows rows;                      // a row per candidate
  std::vector<std::uint64_t> begin{0};  // [N + 1]
  std::vector<std::uint64_t> chosen;    // [N]; an index of `rows`
  std::vector<double> weight;           // [N]

  std::size_t size() const { return chosen.size(); }
};

struct CandidateOptions {
  double precision = 1;             ///< of the Gaussian prior of every weight; 0 for none
  std::span<const double> mean{};   ///< [F]; empty means zero
  std::span<const double> start{};  ///< [F]; empty means the mean
  double tolerance = 1e-4;          ///< as MaxentOptions has them
  int max_passes = 1000;
  double min_gain = 0;
  std::function<void(double objective, double gap)> on_iteration = {};
};

/// Returns the weights [F] that minimise
///     sum_n weight_n [log sum_c exp(w . x_c) - w . x_chosen] + precision |w - mean|^2 / 2
/// by L-BFGS. Throws NumericError if the objective is not finite.
MaxentFit fit_candidates(const Candidates& data, std::uint32_t num_features,
                         const CandidateOptions& options, const Execution& exec);

}  // namespace megadapt
