#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "megadapt/comparison.hpp"
#include "megadapt/dataset.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

/// Cross-validated logistic regression that tells the rows of two domains apart. Both
/// domains get the same total weight, however many rows they have.
class DomainClassifier {
 public:
  DomainClassifier(const Dataset& data, std::uint32_t a, std::uint32_t b,
                   const RelateOptions& options, const Execution& exec);

  std::size_t num_folds() const { return auc_.size(); }
  /// Different folds may run at the same time on different threads.
  void run_fold(std::size_t held_out, const Execution& exec);
  /// Returns the mean over folds, weighted by their numbers of row pairs. Only rows of the
  /// same fold are compared, because scores of different classifiers have no common scale.
  std::optional<double> auc() const;

 private:
  struct FoldResult {
    double auc = 0;
    double pairs = 0;  // pairs of held-out rows; 0 if a domain has none
  };
  std::vector<double> training_weights(std::size_t held_out) const;

  SparseRows content_;  // rows of the pair, without tag features
  std::vector<std::uint32_t> label_;
  std::vector<double> weight_;
  std::vector<std::uint32_t> fold_;
  std::optional<MaxentProblem> problem_;
  MaxentOptions fitting_;
  std::vector<FoldResult> auc_;
};

/// Deals rows of several domains into folds so that each domain is spread evenly, and
/// returns the fold of each row. Rows of one group or sentence share a fold. So do rows
/// outside of groups and sentences that have the same features: otherwise the classifier
/// could train on a copy of a held-out row, even one from the other domain.
std::vector<std::uint32_t> deal_domain_folds(const Dataset& data, RowIds rows,
                                             std::uint32_t folds, std::uint64_t seed);

}  // namespace megadapt
