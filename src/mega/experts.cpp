#include "mega/experts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "dataset/folds.hpp"
#include "optimize/information_prior.hpp"

namespace megadapt {
namespace {

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

Experts::Experts(const Dataset& data, const MixtureOptions& options, const Execution& exec)
    : data_(data),
      options_(options),
      exec_(exec),
      memo_(exec.ranks().size() == 1 ? options.memo : nullptr),
      all_rows_(first_numbers(data.num_examples())),
      general_problem_(data, all_rows_, exec),
      general_(data.num_examples()),
      specific_(data.num_examples()) {
  if (memo_) data_key_ = FitMemo::key_of(data);
  rows_.resize(data.num_domains());
  for (const std::size_t n : all_rows_) rows_[data.domain[n]].push_back(n);
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    exec.throw_if_stopped();
    domain_problem_.emplace_back(data, rows_[d], exec);
  }
  if (options.e_step == EStep::cross_fit) {
    fold_.assign(data.num_examples(), kNone);
    for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
      const auto folds =
          deal_folds(data, rows_[d], static_cast<std::uint32_t>(options.folds),
                     options.seed + d, exec.ranks());
      for (std::size_t i = 0; i < rows_[d].size(); ++i) fold_[rows_[d][i]] = folds[i];
    }
  }
}

double Experts::specific_variance() const {
  return options_.specific_variance > 0 ? options_.specific_variance : options_.variance;
}

std::vector<double> Experts::prior_factor(std::span<const double> row_weight) const {
  return information_factor(data_, all_rows_, row_weight, options_.prior_exponent,
                            exec_.ranks());
}

MaxentOptions Experts::maxent_options(double variance, double tolerance,
                                      std::span<const double> prior_factor) const {
  MaxentOptions maxent;
  maxent.prior.variance = variance;
  maxent.prior.factor = prior_factor;
  copy_solver(options_, maxent);
  maxent.tolerance = tolerance;
  return maxent;
}

std::vector<double> Experts::gather(std::span<const double> values,
                                    std::uint32_t domain) const {
  std::vector<double> result;
  result.reserve(rows_[domain].size());
  for (const std::size_t n : rows_[domain]) result.push_back(values[n]);
  return result;
}

void Experts::scatter(std::span<const double> own, std::uint32_t domain,
                      std::vector<double>& values) const {
  for (std::size_t i = 0; i < own.size(); ++i) values[rows_[domain][i]] = own[i];
}

std::span<const double> Experts::mean_of(std::uint32_t domain,
                                         std::span<const double> general) const {
  if (options_.centre == Centre::general) return general;
  const bool known = options_.centre == Centre::others && !others_.empty();
  return known ? others_[domain] : std::span<const double>();
}

// With two domains, the rows outside of d are those of the other domain. Its problem has
// fewer rows than the general one.
void Experts::fit_others(const Shares& shares, double tolerance, int round,
                         std::span<const double> general) {
  others_.assign(data_.num_domains(), {});
  MaxentOptions maxent = maxent_options(options_.variance, tolerance, factor_);
  maxent.start = general;
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    const std::string name = fmt::format("all but {}", data_.domains().name(d));
    const auto fitted = [&](const MaxentProblem& problem,
                            std::span<const double> row_weight) {
      return round == 1 ? fit_first(problem, row_weight, maxent, name)
                        : fit(problem, row_weight, maxent, round, name);
    };
    if (data_.num_domains() == 2) {
      others_[d] = fitted(domain_problem_[1 - d], gather(shares.general, 1 - d));
      continue;
    }
    std::vector<double> weight = shares.general;
    for (const std::size_t n : rows_[d]) weight[n] = 0;
    others_[d] = fitted(general_problem_, weight);
  }
}

// Returns the weights of one fit. Adds the round and the component to a NumericError.
std::vector<double> Experts::fit(const MaxentProblem& problem,
                                 std::span<const double> row_weight,
                                 const MaxentOptions& options, int round,
                                 std::string_view component) const {
  try {
    MaxentFit fit = problem.fit(row_weight, options, exec_);
    if (options_.on_fit) options_.on_fit(fit);
    return std::move(fit.weights);
  } catch (const NumericError& error) {
    throw NumericError(fmt::format("round {}, step lambda, component '{}': {}", round,
                                   component, error.what()));
  }
}

// Does the same in the first round, but returns the weights of an equal fit if the memo has
// them.
std::vector<double> Experts::fit_first(const MaxentProblem& problem,
                                       std::span<const double> row_weight,
                                       const MaxentOptions& options,
                                       std::string_view component) const {
  if (!memo_) return fit(problem, row_weight, options, 1, component);
  const auto key = FitMemo::key_of(data_key_, component, row_weight, options);
  if (const std::vector<double>* known = memo_->find(key)) return *known;
  std::vector<double> weights = fit(problem, row_weight, options, 1, component);
  memo_->keep(key, weights);
  return weights;
}

// Returns what refit() maximises: the experts' weighted log-likelihoods and log priors.
double Experts::penalised(const Shares& shares, const Mixture& mixture) const {
  double sum = 0;
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    sum += shares.general[n] * general_[n] + shares.specific[n] * specific_[n];
  }
  exec_.ranks().sum({&sum, 1});
  return sum + log_prior(mixture);
}

double Experts::refit(const Shares& shares, double tolerance, int round, Mixture& mixture) {
  const double before = options_.on_step ? penalised(shares, mixture) : 0;

  factor_ = prior_factor(shares.general);
  MaxentOptions maxent = maxent_options(options_.variance, tolerance, factor_);
  maxent.start = mixture.general.weights;
  const auto fitted = [&](const MaxentProblem& problem, std::span<const double> row_weight,
                          std::string_view component) {
    return round == 1 ? fit_first(problem, row_weight, maxent, component)
                      : fit(problem, row_weight, maxent, round, component);
  };
  mixture.general.weights = fitted(general_problem_, shares.general, "general");

  if (options_.centre == Centre::others) {
    fit_others(shares, tolerance, round, mixture.general.weights);
  }
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    exec_.throw_if_stopped();  // a fit of few rows may end before it looks
    maxent = maxent_options(specific_variance(), tolerance, factor_);
    maxent.prior.mean = mean_of(d, mixture.general.weights);
    maxent.start = mixture.domain[d].weights;
    mixture.domain[d].weights =
        fitted(domain_problem_[d], gather(shares.specific, d), data_.domains().name(d));
  }
  predict(&shares, tolerance, mixture);
  return options_.on_step ? penalised(shares, mixture) - before : 0;
}

void Experts::predict(const Shares* shares, double tolerance, const Mixture& mixture) {
  const Precision precision = options_.precision;
  general_ = general_problem_.log_likelihood(mixture.general.weights, precision, exec_);
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    exec_.throw_if_stopped();
    scatter(domain_problem_[d].log_likelihood(mixture.domain[d].weights, precision, exec_),
            d, specific_);
  }
  general_evidence_ = general_;
  specific_evidence_ = specific_;
  if (!shares) return;  // not fitted yet, so not overfitted
  if (factor_.empty()) factor_ = prior_factor(shares->general);  // after a resume
  if (options_.centre == Centre::others && others_.empty()) {
    fit_others(*shares, tolerance, 0, mixture.general.weights);
  }
  if (options_.e_step == EStep::leave_one_out) leave_one_out(*shares, mixture);
  if (options_.e_step == EStep::cross_fit) cross_fit(*shares, tolerance, mixture);
}

void Experts::leave_one_out(const Shares& shares, const Mixture& mixture) {
  const LeaveOneOut general =
      general_problem_.leave_one_out(mixture.general.weights, shares.general,
                                     options_.variance, exec_, nullptr, {}, factor_);
  general_evidence_ = general.log_likelihood;
  const bool centred = options_.centre == Centre::general;
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    exec_.throw_if_stopped();
    const LeaveOneOut specific = domain_problem_[d].leave_one_out(
        mixture.domain[d].weights, gather(shares.specific, d), specific_variance(), exec_,
        centred ? &general : nullptr, rows_[d], factor_);
    scatter(specific.log_likelihood, d, specific_evidence_);
  }
}

void Experts::cross_fit(const Shares& shares, double tolerance, const Mixture& mixture) {
  for (std::uint32_t fold = 0; fold < static_cast<std::uint32_t>(options_.folds); ++fold) {
    Shares kept = shares;
    for (std::size_t n = 0; n < data_.num_examples(); ++n) {
      if (fold_[n] == fold) kept.general[n] = kept.specific[n] = 0;
    }
    const auto take = [&](std::span<const double> all, std::vector<double>& evidence) {
      for (std::size_t n = 0; n < all.size(); ++n) {
        if (fold_[n] == fold) evidence[n] = all[n];
      }
    };
    const std::vector<double> factor = prior_factor(kept.general);
    MaxentOptions maxent = maxent_options(options_.variance, tolerance, factor);
    maxent.start = mixture.general.weights;
    Mixture without;
    without.general.weights = general_problem_.fit(kept.general, maxent, exec_).weights;
    take(
        general_problem_.log_likelihood(without.general.weights, options_.precision, exec_),
        general_evidence_);

    std::vector<double> specific = specific_;
    for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
      maxent = maxent_options(specific_variance(), tolerance, factor);
      maxent.prior.mean = mean_of(d, without.general.weights);
      maxent.start = mixture.domain[d].weights;
      const auto fit = domain_problem_[d].fit(gather(kept.specific, d), maxent, exec_);
      scatter(domain_problem_[d].log_likelihood(fit.weights, options_.precision, exec_), d,
              specific);
    }
    take(specific, specific_evidence_);
  }
}

double Experts::log_prior(const Mixture& mixture) const {
  const std::vector<double>& general = mixture.general.weights;
  double sum = gaussian_log_prior(general, {options_.variance, {}, factor_});
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    sum += gaussian_log_prior(mixture.domain[d].weights,
                              {specific_variance(), mean_of(d, general), factor_});
  }
  return sum;
}

}  // namespace megadapt
