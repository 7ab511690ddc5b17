// General and specific experts trained on whole rows; their mixing weight pi is chosen on
// rows that they have not seen (docs/derivation.md §7).
#include "crossfit/cross_fitted.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/log_space.hpp"
#include "dataset/folds.hpp"
#include "dataset/row_checks.hpp"
#include "optimize/information_prior.hpp"

namespace megadapt {
namespace {

// The range of logit pi that is searched, and the number of bisections.
constexpr double kLargestLogit = 20;
constexpr int kHalvings = 40;
constexpr int kSearches = 5;

std::vector<std::size_t> all_rows_of(const Dataset& data) {
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

void check(const Dataset& data, const CrossFittedOptions& options, const Execution& exec) {
  require_weight_in_every_domain(data, exec.ranks());
  const double share = options.first_share;
  const bool held_at_end = !options.learn_share && (share == 0 || share == 1);
  if ((share > 0 && share < 1) || held_at_end) return;
  throw UsageError(fmt::format("the starting share {} is not between 0 and 1", share),
                   "give --pi-init a number inside (0, 1); 0 and 1 need --pi fixed");
}

class CrossFitted {
 public:
  CrossFitted(const Dataset& data, std::uint32_t target, const CrossFittedOptions& options,
              const Execution& exec)
      : data_(data),
        target_(target),
        options_(options),
        exec_(exec),
        own_(data.rows_of(target)),
        weight_(data.weight.begin(), data.weight.end()),
        general_problem_(data, all_rows_of(data), exec),
        own_problem_(data, own_, exec),
        share_(options.first_share),
        gate_(logit(options.first_share)) {
    if (options.start.empty()) {
      general_.resize(std::size_t{data.num_features()} * data.num_labels());
    } else {
      general_.assign(options.start.begin(), options.start.end());
    }
  }

  Mixture run() {
    fit_experts();
    report("lambda");
    if (options_.learn_share) {
      const CrossFittedEvidence unseen = evidence();
      // One search finds pi. Version 0.1 searched once per round, which changed the last
      // bits of the gate. The same number of searches keeps its predictions bit for bit.
      for (int i = 0; i < kSearches; ++i) settle_share(unseen);
      report("pi");
    }
    if (options_.on_progress) options_.on_progress(1);
    return mixture();
  }

  void fit_experts() {
    factor_ = information_factor(data_, weight_, options_.prior_exponent, exec_.ranks());
    MaxentOptions maxent = maxent_options(options_.variance, factor_);
    maxent.start = general_;
    general_ = fit(general_problem_, weight_, maxent, "general");
    if (options_.centre == Centre::others) fit_others();
    maxent = maxent_options(options_.specific_variance, factor_);
    maxent.prior.mean = mean_beside(general_);
    specific_ = fit(own_problem_, gather(weight_), maxent, data_.domains().name(target_));
  }

  CrossFittedEvidence evidence() {
    exec_.throw_if_stopped();
    switch (options_.evidence) {
      case EStep::training:
        break;
      case EStep::leave_one_out:
        return leave_one_out();
      case EStep::cross_fit:
        return cross_fit();
    }
    return {gather(log_likelihood(general_problem_, general_)),
            log_likelihood(own_problem_, specific_)};
  }

 private:
  MaxentOptions maxent_options(double variance, std::span<const double> factor) const {
    MaxentOptions maxent;
    maxent.prior.variance = variance;
    maxent.prior.factor = factor;
    copy_solver(options_, maxent);
    return maxent;
  }

  std::vector<double> log_likelihood(const MaxentProblem& problem,
                                     std::span<const double> weights) const {
    return problem.log_likelihood(weights, options_.precision, exec_);
  }

  /// Returns the values at the target's rows.
  std::vector<double> gather(std::span<const double> values) const {
    std::vector<double> own;
    own.reserve(own_.size());
    for (const std::size_t n : own_) own.push_back(values[n]);
    return own;
  }

  std::vector<double> fit(const MaxentProblem& problem, std::span<const double> row_weight,
                          const MaxentOptions& maxent, std::string_view component) const {
    try {
      MaxentFit fit = problem.fit(row_weight, maxent, exec_);
      if (options_.on_fit) options_.on_fit(fit);
      return std::move(fit.weights);
    } catch (const NumericError& error) {
      throw NumericError(fmt::format("component '{}': {}", component, error.what()));
    }
  }

  /// Fits the prior mean of Centre::others: the general expert without the target's rows.
  void fit_others() {
    std::vector<double> weight = weight_;
    for (const std::size_t n : own_) weight[n] = 0;
    MaxentOptions maxent = maxent_options(options_.variance, factor_);
    maxent.start = general_;
    others_ = general_problem_.fit(weight, maxent, exec_).weights;
  }

  /// Returns the prior mean of the target's expert, given the general expert's weights.
  std::span<const double> mean_beside(std::span<const double> general) const {
    if (options_.centre == Centre::general) return general;
    return others_;  // empty for Centre::zero
  }

  CrossFittedEvidence leave_one_out() const {
    const LeaveOneOut general = general_problem_.leave_one_out(
        general_, weight_, options_.variance, exec_, nullptr, {}, factor_);
    const bool centred = options_.centre == Centre::general;
    LeaveOneOut specific =
        own_problem_.leave_one_out(specific_, gather(weight_), options_.specific_variance,
                                   exec_, centred ? &general : nullptr, own_, factor_);
    return {gather(general.log_likelihood), std::move(specific.log_likelihood)};
  }

  /// Refits both experts without each fold of the target's rows and lets them predict it.
  /// The information factor is also computed without the fold, because it depends on
  /// labels.
  CrossFittedEvidence cross_fit() const {
    const auto folds = static_cast<std::uint32_t>(options_.folds);
    const std::vector<std::uint32_t> fold =
        deal_folds(data_, own_, folds, options_.seed + target_, exec_.ranks());
    CrossFittedEvidence evidence{std::vector<double>(own_.size()),
                                 std::vector<double>(own_.size())};
    for (std::uint32_t held_out = 0; held_out < folds; ++held_out) {
      std::vector<double> kept = weight_;
      for (std::size_t i = 0; i < own_.size(); ++i) {
        if (fold[i] == held_out) kept[own_[i]] = 0;
      }
      const std::vector<double> factor =
          information_factor(data_, kept, options_.prior_exponent, exec_.ranks());
      MaxentOptions maxent = maxent_options(options_.variance, factor);
      maxent.start = general_;
      const MaxentFit general = general_problem_.fit(kept, maxent, exec_);
      maxent = maxent_options(options_.specific_variance, factor);
      maxent.prior.mean = mean_beside(general.weights);
      maxent.start = specific_;
      const MaxentFit specific = own_problem_.fit(gather(kept), maxent, exec_);
      const auto by_general = log_likelihood(general_problem_, general.weights);
      const auto by_specific = log_likelihood(own_problem_, specific.weights);
      for (std::size_t i = 0; i < own_.size(); ++i) {
        if (fold[i] != held_out) continue;
        evidence.general[i] = by_general[own_[i]];
        evidence.specific[i] = by_specific[i];
      }
    }
    return evidence;
  }

  // The experts are fixed, so only pi is learnt. The derivative of the likelihood in logit
  // pi is sum_n v_n (h_n - gamma_n). Bisection finds its root, where EM would be slow. The
  // prior pi ~ Beta(2, 2) keeps pi inside (0, 1).
  void settle_share(const CrossFittedEvidence& evidence) {
    const double old = logit(share_);
    double low = -kLargestLogit, high = kLargestLogit;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      const double prior = 1 - 2 * sigmoid(middle);
      (share_slope(evidence, gate_ + (middle - old)) + prior > 0 ? low : high) = middle;
    }
    gate_ += low - old;
    share_ = sigmoid(low);
  }

  double share_slope(const CrossFittedEvidence& evidence, double gate) const {
    double slope =
        exec_.parallel_sum(own_.size(), 4096, [&](std::size_t first, std::size_t last) {
          double sum = 0;
          for (std::size_t i = first; i < last; ++i) {
            const double odds = evidence.general[i] - evidence.specific[i];
            sum += weight_[own_[i]] * (sigmoid(gate + odds) - sigmoid(gate));
          }
          return sum;
        });
    exec_.ranks().sum({&slope, 1});
    return slope;
  }

  /// Returns sum_n v_n log p(y_n | x_n) of the mixture, plus the log priors of the experts.
  double objective() const {
    std::vector<double> mixed = log_likelihood(general_problem_, general_);
    const std::vector<double> specific = log_likelihood(own_problem_, specific_);
    for (std::size_t i = 0; i < own_.size(); ++i) {
      mixed[own_[i]] =
          log_add(log_sigmoid(gate_) + mixed[own_[i]], log_sigmoid(-gate_) + specific[i]);
    }
    double likelihood =
        exec_.parallel_sum(mixed.size(), 4096, [&](std::size_t first, std::size_t last) {
          double sum = 0;
          for (std::size_t n = first; n < last; ++n) sum += weight_[n] * mixed[n];
          return sum;
        });
    exec_.ranks().sum({&likelihood, 1});
    return likelihood + gaussian_log_prior(general_, {options_.variance, {}, factor_}) +
           gaussian_log_prior(specific_,
                              {options_.specific_variance, mean_beside(general_), factor_});
  }

  Mixture mixture() const {
    const std::size_t F = data_.num_features(), K = data_.num_domains();
    Mixture mixture;
    mixture.general = {general_, std::vector<double>(F, 0.5)};
    mixture.domain.assign(K, mixture.general);
    mixture.domain[target_].weights = specific_;
    mixture.general_share = shares();
    mixture.gate.intercept.assign(K, INFINITY);  // other domains use the general expert
    mixture.gate.intercept[target_] = gate_;
    mixture.gate.weights.assign(F * K, 0);
    mixture.objective = objective();
    return mixture;
  }

  std::vector<double> shares() const {
    std::vector<double> shares(data_.num_domains(), 1);
    shares[target_] = share_;
    return shares;
  }

  void report(const std::string& step) const {
    if (!options_.on_step) return;
    const double value = objective();
    if (!std::isfinite(value)) {
      throw NumericError(fmt::format("step {}: the objective is not finite", step));
    }
    options_.on_step({1, step, value, 0, shares()});
  }

  const Dataset& data_;
  std::uint32_t target_;
  const CrossFittedOptions& options_;
  const Execution& exec_;
  std::vector<std::size_t> own_;  // the target's rows
  std::vector<double> weight_;    // [N]
  MaxentProblem general_problem_, own_problem_;
  double share_;                                     // pi of the target
  double gate_;                                      // its log-odds
  std::vector<double> general_, specific_, others_;  // [F][Y]
  std::vector<double> factor_;                       // [F], or empty
};

}  // namespace

Mixture fit_cross_fitted(const Dataset& data, std::uint32_t target,
                         const CrossFittedOptions& options, const Execution& exec) {
  check(data, options, exec);
  return CrossFitted(data, target, options, exec).run();
}

CrossFittedEvidence cross_fitted_evidence(const Dataset& data, std::uint32_t target,
                                          const CrossFittedOptions& options,
                                          const Execution& exec) {
  CrossFitted experts(data, target, options, exec);
  experts.fit_experts();
  return experts.evidence();
}

}  // namespace megadapt
