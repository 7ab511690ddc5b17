#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "adapt/continuation.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

/// New rows together with what the former model says about each of them: all that prior,
/// feats and lini need to know of it.
class FormerView {
 public:
  FormerView(const Model& former, const Dataset& rows, const ContinuationOptions& options);

  const Dataset& data() const { return data_; }
  std::uint32_t target() const { return data_.domain[0]; }
  /// The former model's domain that the new rows are predicted as.
  std::uint32_t former_domain() const { return former_domain_; }
  /// Its probabilities for row n, [Y]; 0 for labels that it does not know.
  std::span<const double> former(std::size_t n) const {
    return {probability_.data() + n * data_.num_labels(), data_.num_labels()};
  }
  /// Empty, or why a system cannot use this model.
  std::string obstacle(const std::string& system) const;

  /// A maximum entropy problem for `system` over some rows: onlyi, prior or feats.
  MaxentProblem problem(const std::string& system, std::span<const std::size_t> rows,
                        const Execution& exec) const;
  MaxentFit fit(const std::string& system, const MaxentProblem& problem,
                std::span<const std::size_t> rows, double variance,
                std::span<const double> start, const Execution& exec) const;
  /// What a fit of `system` predicts for row n.
  void predict(const std::string& system, const MaxentPredictor& fitted, std::size_t n,
               std::span<double> probability) const;

 private:
  std::uint32_t num_features(const std::string& system) const;
  void add_predictions(const Model& former);
  void add_source_features();
  void add_mean(const Model& former);

  const Dataset& data_;
  const ContinuationOptions& options_;
  std::uint32_t former_domain_;
  std::vector<double> probability_;          // [N][Y]
  SparseRows extended_;                      // rows of feats
  std::optional<std::vector<double>> mean_;  // [F][Y] of prior, where the model is linear
  std::string kind_;
};

}  // namespace megadapt
