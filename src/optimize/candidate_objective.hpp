#pragma once

#include "optimize/candidates.hpp"
#include "optimize/kernels.hpp"

namespace megadapt {

/// The objective of fit_candidates(), in the form that the minimiser needs. Each candidate
/// computes its own residual, then each feature sums its column of the transpose, so the
/// result has the same bits for any number of threads.
class CandidateObjective {
 public:
  CandidateObjective(const Candidates& data, std::uint32_t num_features, double precision,
                     std::span<const double> mean, const Execution& exec);

  std::size_t dimension() const { return column_begin_.size() - 1; }
  double value(std::span<const double> weights);
  void gradient(std::span<const double> weights, std::span<double> out);
  /// Writes an upper bound of the diagonal: treats the candidates of an example as
  /// independent.
  void hessian_diagonal(std::span<double> out);

  int passes() const { return (half_passes_ + 1) / 2; }
  const Kernels<double>& kernels() const { return kernels_for<double>(2); }
  const Execution& execution() const { return exec_; }

 private:
  struct Entry {
    std::uint64_t candidate;
    double value;
  };
  double choose(std::size_t example, std::span<const double> weights);
  template <class Term>
  void sum_columns(std::span<double> out, Term term);
  double mean(std::size_t feature) const { return mean_.empty() ? 0 : mean_[feature]; }

  const Candidates& data_;
  double precision_;
  std::span<const double> mean_;
  const Execution& exec_;
  std::vector<std::uint64_t> column_begin_;  // [F + 1]
  std::vector<Entry> column_;                // [nnz], by feature
  std::vector<double> probability_;          // [candidates]
  std::vector<double> residual_;             // [candidates]; weight (p - chosen)
  std::vector<double> spread_;               // [candidates]; weight p (1 - p)
  int half_passes_ = 0;
};

}  // namespace megadapt
