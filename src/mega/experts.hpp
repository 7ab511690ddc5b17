#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mega/fit_mixture.hpp"
#include "megadapt/training.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

/// Which part of a row belongs to the general expert and which to its domain's own: [N]
/// each, weights of the rows included.
struct Shares {
  std::vector<double> general;
  std::vector<double> specific;
};

/// The K + 1 maximum entropy models of a mixture in training, and how well they predict the
/// labels of the rows. Row arrays are [N] in the order of the data set; `specific` always
/// means the expert of the row's own domain.
class Experts {
 public:
  Experts(const Dataset& data, const MixtureOptions& options, const Execution& exec);

  /// The M-step of lambda (D&M06 §5.3): every expert refitted to its shares, starting from
  /// what `mixture` holds. Returns the gain in the sum of their penalised likelihoods where
  /// steps are reported, else 0.
  double refit(const Shares& shares, double tolerance, int round, Mixture& mixture);

  /// Predicts all labels anew with the experts of `mixture`: once after each change.
  /// `shares` are those of the last refit, null before the first.
  void predict(const Shares* shares, double tolerance, const Mixture& mixture);

  /// log p(y_n | x_n, c) of the experts as they are.
  std::span<const double> general_log_likelihood() const { return general_; }
  std::span<const double> specific_log_likelihood() const { return specific_; }
  /// The same as the E-step should judge it: by default, or without the row itself.
  std::span<const double> general_evidence() const { return general_evidence_; }
  std::span<const double> specific_evidence() const { return specific_evidence_; }

  /// The Gaussian log prior of all experts, without constants.
  double log_prior(const Mixture& mixture) const;

  std::span<const std::size_t> rows(std::uint32_t domain) const { return rows_[domain]; }
  std::span<const std::size_t> all_rows() const { return all_rows_; }

 private:
  double specific_variance() const;
  MaxentOptions maxent_options(double variance, double tolerance,
                               std::span<const double> prior_factor) const;
  /// The factor of each feature's prior precision, from rows of these weights: [F], or
  /// empty where all are alike.
  std::vector<double> prior_factor(std::span<const double> row_weight) const;
  /// The values of a domain's rows, and back.
  std::vector<double> gather(std::span<const double> values, std::uint32_t domain) const;
  void scatter(std::span<const double> own, std::uint32_t domain,
               std::vector<double>& values) const;
  /// The prior mean of a domain's expert next to the general expert `general`.
  std::span<const double> mean_of(std::uint32_t domain,
                                  std::span<const double> general) const;
  /// Fits the prior means of Centre::others.
  void fit_others(const Shares& shares, double tolerance, std::span<const double> general);
  std::vector<double> fit(const MaxentProblem& problem, std::span<const double> row_weight,
                          const MaxentOptions& options, int round,
                          std::string_view component) const;
  double penalised(const Shares& shares, const Mixture& mixture) const;
  void leave_one_out(const Shares& shares, const Mixture& mixture);
  void cross_fit(const Shares& shares, double tolerance, const Mixture& mixture);

  const Dataset& data_;
  const MixtureOptions& options_;
  const Execution& exec_;
  std::vector<std::size_t> all_rows_;
  std::vector<std::vector<std::size_t>> rows_;  // [K]
  MaxentProblem general_problem_;
  std::vector<MaxentProblem> domain_problem_;  // [K]
  std::vector<double> factor_;                 // [F]; of the last refit
  std::vector<std::vector<double>> others_;    // [K]; prior means of Centre::others
  std::vector<std::uint32_t> fold_;            // [N]; for cross-fitting
  std::vector<double> general_, specific_;
  std::vector<double> general_evidence_, specific_evidence_;
};

}  // namespace megadapt
