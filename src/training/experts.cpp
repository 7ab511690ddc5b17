#include "training/experts.hpp"

#include <fmt/format.h>

#include <numeric>

#include "dataset/folds.hpp"

namespace megadapt {
namespace {

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = a[i] - (b.empty() ? 0 : b[i]);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

Experts::Experts(const Dataset& data, const MixtureOptions& options, const Execution& exec)
    : data_(data),
      options_(options),
      exec_(exec),
      all_rows_(first_numbers(data.num_examples())),
      general_problem_(data, all_rows_, exec),
      general_(data.num_examples()),
      specific_(data.num_examples()) {
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    rows_.push_back(data.rows_of(d));
    domain_problem_.emplace_back(data, rows_[d], exec);
  }
  if (options.e_step == EStep::cross_fit) {
    fold_.resize(data.num_examples());
    for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
      const auto folds = deal_folds(
          data, rows_[d], static_cast<std::uint32_t>(options.folds), options.seed + d);
      for (std::size_t i = 0; i < rows_[d].size(); ++i) fold_[rows_[d][i]] = folds[i];
    }
  }
}

double Experts::specific_variance() const {
  return options_.specific_variance > 0 ? options_.specific_variance : options_.variance;
}

MaxentOptions Experts::maxent_options(double variance, double tolerance) const {
  MaxentOptions maxent;
  maxent.prior.variance = variance;
  maxent.tolerance = tolerance;
  maxent.max_passes = options_.max_passes;
  maxent.optimizer = options_.optimizer;
  maxent.precision = options_.precision;
  return maxent;
}

std::vector<double> Experts::own(std::span<const double> values,
                                 std::uint32_t domain) const {
  std::vector<double> result;
  result.reserve(rows_[domain].size());
  for (const std::size_t n : rows_[domain]) result.push_back(values[n]);
  return result;
}

void Experts::put(std::span<const double> own, std::uint32_t domain,
                  std::vector<double>& values) const {
  for (std::size_t i = 0; i < own.size(); ++i) values[rows_[domain][i]] = own[i];
}

std::span<const double> Experts::specific_mean(const Mixture& mixture) const {
  if (options_.centre == Centre::zero) return {};
  return mixture.general.weights;
}

// A fit that fails says where in the training it was.
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

// What the refit maximises: the experts' weighted likelihoods and their priors.
double Experts::penalised(const Shares& shares, const Mixture& mixture) const {
  double sum = log_prior(mixture);
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    sum += shares.general[n] * general_[n] + shares.specific[n] * specific_[n];
  }
  return sum;
}

double Experts::refit(const Shares& shares, double tolerance, int round, Mixture& mixture) {
  const double before = options_.on_step ? penalised(shares, mixture) : 0;

  MaxentOptions maxent = maxent_options(options_.variance, tolerance);
  maxent.start = mixture.general.weights;
  mixture.general.weights = fit(general_problem_, shares.general, maxent, round, "general");

  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    maxent = maxent_options(specific_variance(), tolerance);
    maxent.prior.mean = specific_mean(mixture);
    maxent.start = mixture.domain[d].weights;
    mixture.domain[d].weights = fit(domain_problem_[d], own(shares.specific, d), maxent,
                                    round, data_.domains.name(d));
  }
  predict(shares, tolerance, mixture);
  return options_.on_step ? penalised(shares, mixture) - before : 0;
}

void Experts::predict(const Shares& shares, double tolerance, const Mixture& mixture) {
  const Precision precision = options_.precision;
  general_ = general_problem_.log_likelihood(mixture.general.weights, precision, exec_);
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    put(domain_problem_[d].log_likelihood(mixture.domain[d].weights, precision, exec_), d,
        specific_);
  }
  general_evidence_ = general_;
  specific_evidence_ = specific_;
  if (shares.general.empty()) return;  // nothing is fitted yet, so nothing is overfitted
  if (options_.e_step == EStep::leave_one_out) leave_one_out(shares, mixture);
  if (options_.e_step == EStep::cross_fit) cross_fit(shares, tolerance, mixture);
}

void Experts::leave_one_out(const Shares& shares, const Mixture& mixture) {
  const LeaveOneOut general = general_problem_.leave_one_out(
      mixture.general.weights, shares.general, options_.variance, exec_);
  general_evidence_ = general.log_likelihood;
  for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
    const bool centred = options_.centre == Centre::general;
    const LeaveOneOut specific = domain_problem_[d].leave_one_out(
        mixture.domain[d].weights, own(shares.specific, d), specific_variance(), exec_,
        centred ? &general : nullptr, rows_[d]);
    put(specific.log_likelihood, d, specific_evidence_);
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
    MaxentOptions maxent = maxent_options(options_.variance, tolerance);
    maxent.start = mixture.general.weights;
    Mixture without;
    without.general.weights = general_problem_.fit(kept.general, maxent, exec_).weights;
    take(
        general_problem_.log_likelihood(without.general.weights, options_.precision, exec_),
        general_evidence_);

    std::vector<double> specific = specific_;
    for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
      maxent = maxent_options(specific_variance(), tolerance);
      maxent.prior.mean = specific_mean(without);
      maxent.start = mixture.domain[d].weights;
      const auto fit = domain_problem_[d].fit(own(kept.specific, d), maxent, exec_);
      put(domain_problem_[d].log_likelihood(fit.weights, options_.precision, exec_), d,
          specific);
    }
    take(specific, specific_evidence_);
  }
}

double Experts::log_prior(const Mixture& mixture) const {
  double sum = -squared_distance(mixture.general.weights, {}) / (2 * options_.variance);
  for (const Component& component : mixture.domain) {
    sum -= squared_distance(component.weights, specific_mean(mixture)) /
           (2 * specific_variance());
  }
  return sum;
}

}  // namespace megadapt
