#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "mega/fit_memo.hpp"
#include "mega/fit_mixture.hpp"
#include "megadapt/training.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

/// How much of each row belongs to the general expert and how much to its domain's own: [N]
/// each, multiplied by the row's weight.
struct Shares {
  std::vector<double> general;
  std::vector<double> specific;
};

/// The K + 1 maximum entropy models of a mixture in training, and how well they predict the
/// rows' labels. Row arrays are [N] in the order of the data set. `specific` always means
/// the expert of the row's own domain.
class Experts {
 public:
  Experts(const Dataset& data, const MixtureOptions& options, const Execution& exec);

  /// The M-step of lambda (D&M06 §5.3): refits every expert to its shares, starting from
  /// the weights in `mixture`. Returns the gain in the sum of penalised likelihoods if
  /// steps are reported, else 0.
  double refit(const Shares& shares, double tolerance, int round, Mixture& mixture);

  /// Predicts the labels of all rows with the experts of `mixture`. Call it after each
  /// change. `shares` are those of the last refit; null before the first.
  void predict(const Shares* shares, double tolerance, const Mixture& mixture);

  /// log p(y_n | x_n, c) of the current experts.
  std::span<const double> general_log_likelihood() const { return general_; }
  std::span<const double> specific_log_likelihood() const { return specific_; }
  /// The values that the E-step uses: the likelihoods above, or those of models fitted
  /// without the row itself.
  std::span<const double> general_evidence() const { return general_evidence_; }
  std::span<const double> specific_evidence() const { return specific_evidence_; }

  /// Returns the Gaussian log prior of all experts, without constants.
  double log_prior(const Mixture& mixture) const;

  RowIds rows(std::uint32_t domain) const { return rows_[domain]; }
  RowIds all_rows() const { return all_rows_; }

 private:
  double specific_variance() const;
  MaxentOptions maxent_options(double variance, double tolerance,
                               std::span<const double> prior_factor) const;
  /// Returns the factor [F] of each feature's prior precision, from rows of these weights.
  /// Empty if all factors are 1.
  std::vector<double> prior_factor(std::span<const double> row_weight) const;
  /// gather() returns the values at a domain's rows; scatter() writes them back.
  std::vector<double> gather(std::span<const double> values, std::uint32_t domain) const;
  void scatter(std::span<const double> own, std::uint32_t domain,
               std::vector<double>& values) const;
  /// Returns the prior mean of a domain's expert, given the general expert's weights.
  std::span<const double> mean_of(std::uint32_t domain,
                                  std::span<const double> general) const;
  /// Fits the prior means of Centre::others.
  void fit_others(const Shares& shares, double tolerance, int round,
                  std::span<const double> general);
  std::vector<double> fit(const MaxentProblem& problem, std::span<const double> row_weight,
                          const MaxentOptions& options, int round,
                          std::string_view component) const;
  std::vector<double> fit_first(const MaxentProblem& problem,
                                std::span<const double> row_weight,
                                const MaxentOptions& options,
                                std::string_view component) const;
  double penalised(const Shares& shares, const Mixture& mixture) const;
  void leave_one_out(const Shares& shares, const Mixture& mixture);
  void cross_fit(const Shares& shares, double tolerance, const Mixture& mixture);

  const Dataset& data_;
  const MixtureOptions& options_;
  const Execution& exec_;
  FitMemo* memo_;  // null: not used
  FitMemo::Key data_key_{};
  std::vector<std::size_t> all_rows_;
  std::vector<std::vector<std::size_t>> rows_;  // [K]
  MaxentProblem general_problem_;
  std::vector<MaxentProblem> domain_problem_;  // [K]
  std::vector<double> factor_;                 // [F]; as in the last refit
  std::vector<std::vector<double>> others_;    // [K]; prior means of Centre::others
  std::vector<std::uint32_t> fold_;            // [N]; for cross-fitting
  std::vector<double> general_, specific_;
  std::vector<double> general_evidence_, specific_evidence_;
};

}  // namespace megadapt
