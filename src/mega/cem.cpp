// Conditional expectation maximisation (D&M06 §4 and §5.5). A round updates pi, lambda and
// psi, by default each after a fresh E-step: the bound is tight only where the posteriors
// were computed, so without the fresh E-step a sub-step could lower the likelihood.
#include <fmt/format.h>

#include <cmath>

#include "base/log_space.hpp"
#include "base/tilted_bernoulli.hpp"
#include "dataset/row_checks.hpp"
#include "mega/experts.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/gate.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

// The fits of the first rounds may stop early: at 100 times the tolerance in the first, and
// at the tolerance from the fifth on, but never above kLoosest unless that was asked for.
constexpr double kLooserAtFirst = 100;
constexpr int kLastLooseRound = 4;
constexpr double kLoosest = 1e-2;

// Training has settled when a round changes every pi and the mean P(general | x, y) by less.
constexpr double kSettled = 1e-3;

void refuse(const std::string& problem, const std::string& fix) {
  throw UsageError(problem, fix);
}

// Checks what the ranges of the option table cannot: options that contradict the data, the
// number of ranks or each other.
void check(const Dataset& data, const MixtureOptions& options, const Execution& exec) {
  require_weight_in_every_domain(data, exec.ranks());
  const std::size_t K = data.num_domains();
  if (!options.first_share.empty() && options.first_share.size() != K) {
    refuse("the number of starting shares is not the number of domains",
           "give one per domain");
  }
  for (const double share : options.first_share) {
    const bool inside = share > 0 && share < 1;
    const bool at_the_end = share == 0 || share == 1;
    const bool held = !options.learn_share && options.gate != Gate::logistic;
    if (!inside && !(at_the_end && held)) {
      refuse(fmt::format("the starting share {} is not between 0 and 1", share),
             "give --pi-init numbers inside (0, 1); 0 and 1 need --pi fixed and --gate "
             "psi");
    }
  }
  if (options.rounds == kRoundsUntilSettled && options.temperature != 1) {
    refuse("--anneal needs to know the number of rounds", "give --rounds a number");
  }
  const bool sweeps = options.gate == Gate::presence && options.psi_step == PsiStep::sweep;
  if (sweeps && exec.ranks().size() > 1) {
    refuse(fmt::format("psi cannot be swept feature by feature on {} ranks",
                       exec.ranks().size()),
           "use --psi-step lbfgs, which maximises the same bound");
  }
}

// psi = 1/2, lambda = 0, pi as asked for (D&M06 Fig. 2). The symmetry breaks because the
// components see different rows.
Mixture first_mixture(const Dataset& data, const MixtureOptions& options) {
  const std::size_t F = data.num_features();
  const Component blank{std::vector<double>(F * data.num_labels()),
                        std::vector<double>(F, 0.5)};
  Mixture mixture;
  mixture.general = blank;
  mixture.domain.assign(data.num_domains(), blank);
  mixture.general_share = options.first_share;
  mixture.general_share.resize(data.num_domains(), 0.5);
  return mixture;
}

class ConditionalEm {
 public:
  ConditionalEm(const Dataset& data, const MixtureOptions& options, const Execution& exec)
      : data_(data),
        options_(options),
        exec_(exec),
        mixture_(options.resume ? options.resume->mixture : first_mixture(data, options)),
        experts_(data, options, exec),
        gate_(make_gate(data, experts_, options, exec)) {
    const std::size_t N = data.num_examples();
    for (Shares* shares : {&posterior_, &prior_}) {
      shares->general.resize(N);
      shares->specific.resize(N);
    }
    if (options.resume) {
      mixture_.end = options.resume->end;
      fitted_ = {options.resume->fitted_general, options.resume->fitted_specific};
    }
  }

  Mixture run() {
    int round = options_.resume ? options_.resume->rounds_done : 0;
    gate_->linearise(mixture_);
    gate_sum_ = gate_sums(data_, mixture_.gate, exec_);
    experts_.predict(options_.resume ? &fitted_ : nullptr, tolerance(round), mixture_);
    while (round < last_round() && !(until_settled() && mixture_.end.settled)) {
      const std::vector<double> share = mixture_.general_share;
      const std::vector<double> fitted = fitted_.general;
      run_round(++round);
      mixture_.end = end_of(round, share, fitted);
      if (options_.on_round) {
        options_.on_round(
            {round, mixture_, fitted_.general, fitted_.specific, mixture_.end});
      }
    }
    finish();
    return std::move(mixture_);
  }

 private:
  bool until_settled() const { return options_.rounds == kRoundsUntilSettled; }
  int last_round() const { return until_settled() ? kMostRounds : options_.rounds; }

  void run_round(int round) {
    const bool has_pi_step = gate_->has_share() && options_.learn_share;
    const bool each = options_.refresh == Refresh::step;
    if (has_pi_step) {
      e_step(round);
      report(round, "pi", update_shares());
    }
    if (each || !has_pi_step) e_step(round);
    fitted_ = posterior_;
    report(round, "lambda", experts_.refit(fitted_, tolerance(round), round, mixture_));
    if (each) e_step(round);
    report(round, "psi", update_gate(round));
    if (options_.on_progress) {
      options_.on_progress(static_cast<double>(round) / last_round());
    }
  }

  // `share` and `fitted` are pi and the experts' responsibilities before the round.
  MixtureEnd end_of(int round, const std::vector<double>& share,
                    const std::vector<double>& fitted) const {
    MixtureEnd end{.rounds = round};
    for (std::size_t d = 0; d < share.size(); ++d) {
      end.moved = std::max(end.moved, std::abs(mixture_.general_share[d] - share[d]));
    }
    if (!until_settled()) {
      end.settled = end.moved < kSettled;
      return end;
    }
    if (fitted.empty()) return end;  // the first round
    double change_and_weight[2] = {};
    for (std::size_t n = 0; n < fitted.size(); ++n) {
      change_and_weight[0] += std::abs(fitted_.general[n] - fitted[n]);
      change_and_weight[1] += static_cast<double>(data_.weight[n]);
    }
    exec_.ranks().sum(change_and_weight);
    end.settled =
        end.moved < kSettled && change_and_weight[0] < kSettled * change_and_weight[1];
    return end;
  }

  void finish() {
    mixture_.objective = objective();
    mixture_.has_presence = gate_->has_share();
    const std::size_t K = data_.num_domains();
    std::vector<double> sums(2 * K);  // [2][K]; of P(general | x), and of the weights
    for (std::size_t n = 0; n < data_.num_examples(); ++n) {
      const double v = static_cast<double>(data_.weight[n]);
      sums[data_.domain[n]] += v * sigmoid(log_odds(n));
      sums[K + data_.domain[n]] += v;
    }
    exec_.ranks().sum(sums);
    mixture_.mean_general.clear();
    for (std::size_t d = 0; d < K; ++d) {
      mixture_.mean_general.push_back(sums[d] / sums[K + d]);
    }
  }

  // gamma_n = P(g | x_n) and h_n = P(g | x_n, y_n), each times the row's weight.
  void e_step(int round) {
    exec_.throw_if_stopped();
    const double cooling = 1 / temperature(round);
    exec_.parallel_for(
        data_.num_examples(), 4096, [&](std::size_t first, std::size_t last) {
          for (std::size_t n = first; n < last; ++n) {
            const double v = static_cast<double>(data_.weight[n]);
            const double gate = log_odds(n);
            const double evidence =
                experts_.general_evidence()[n] - experts_.specific_evidence()[n];
            const double gamma = sigmoid(gate);
            const double h = sigmoid(cooling * (gate + evidence));
            prior_.general[n] = v * gamma;
            prior_.specific[n] = v * (1 - gamma);
            posterior_.general[n] = v * h;
            posterior_.specific[n] = v * (1 - h);
          }
        });
    report(round, "e", 0);
  }

  // S = sum_n [p(x_n|g) - p(x_n|d)] / p_old(x_n), and p(x_n|g) / p_old(x_n) = gamma_n / pi.
  double update_shares() {
    enum { kGeneral, kSpecific, kPriorGeneral, kPriorSpecific, kSums };
    std::vector<double> sums(kSums * data_.num_domains());  // [K][kSums]
    for (std::size_t n = 0; n < data_.num_examples(); ++n) {
      double* sum = sums.data() + kSums * data_.domain[n];
      sum[kGeneral] += posterior_.general[n];
      sum[kSpecific] += posterior_.specific[n];
      sum[kPriorGeneral] += prior_.general[n];
      sum[kPriorSpecific] += prior_.specific[n];
    }
    exec_.ranks().sum(sums);
    double gain = 0;
    for (std::uint32_t d = 0; d < data_.num_domains(); ++d) {
      const double* sum = sums.data() + kSums * d;
      const double general = sum[kGeneral], specific = sum[kSpecific];
      const double old = mixture_.general_share[d];
      const double slope = sum[kPriorGeneral] / old - sum[kPriorSpecific] / (1 - old);
      const double share = tilted_bernoulli_mode(general, general + specific, slope);
      gain += general * std::log(share / old) +
              specific * (std::log1p(-share) - std::log1p(-old)) - slope * (share - old);
      mixture_.gate.intercept[d] += logit(share) - logit(old);
      mixture_.general_share[d] = share;
      if (options_.refresh == Refresh::round)
        follow_share(d, share / old, (1 - share) / (1 - old));
    }
    return gain;
  }

  // The r_n of the psi step have the new pi and the old p(x_n), which stays that of the
  // round's only E-step (docs/derivation.md §5).
  void follow_share(std::uint32_t domain, double general, double specific) {
    for (const std::size_t n : experts_.rows(domain)) {
      prior_.general[n] *= general;
      prior_.specific[n] *= specific;
    }
  }

  double update_gate(int round) {
    try {
      const double gain = gate_->maximise(posterior_, prior_, tolerance(round), mixture_);
      gate_sum_ = gate_sums(data_, mixture_.gate, exec_);
      return gain;
    } catch (const NumericError& error) {
      throw NumericError(fmt::format("round {}, step psi, gate: {}", round, error.what()));
    }
  }

  double log_odds(std::size_t n) const {
    return mixture_.gate.intercept[data_.domain[n]] + gate_sum_[n];
  }

  // sum_n v_n log [gamma p(y|x,g) + (1-gamma) p(y|x,d)] + log priors.
  double objective() const {
    double likelihood = exec_.parallel_sum(
        data_.num_examples(), 4096, [&](std::size_t first, std::size_t last) {
          double sum = 0;
          for (std::size_t n = first; n < last; ++n) {
            const double gate = log_odds(n);
            sum += static_cast<double>(data_.weight[n]) *
                   log_add(log_sigmoid(gate) + experts_.general_log_likelihood()[n],
                           log_sigmoid(-gate) + experts_.specific_log_likelihood()[n]);
          }
          return sum;
        });
    exec_.ranks().sum({&likelihood, 1});
    return likelihood + experts_.log_prior(mixture_) + gate_->log_prior(mixture_);
  }

  void report(int round, const std::string& step, double bound) {
    if (!std::isfinite(bound)) {
      throw NumericError(
          fmt::format("round {}, step {}: the bound is not finite", round, step));
    }
    if (!options_.on_step) return;
    if (step != "e" || !std::isfinite(objective_)) objective_ = objective();
    if (!std::isfinite(objective_)) {
      throw NumericError(
          fmt::format("round {}, step {}: the objective is not finite", round, step));
    }
    options_.on_step({round, step, objective_, bound, mixture_.general_share});
  }

  // The tolerance of a round does not depend on how many rounds there will be.
  double tolerance(int round) const {
    const double left = 1 - static_cast<double>(std::max(round, 1) - 1) / kLastLooseRound;
    const double looser = left > 0 ? std::pow(kLooserAtFirst, left) : 1;
    return std::max(options_.tolerance, std::min(looser * options_.tolerance, kLoosest));
  }

  double temperature(int round) const {
    if (options_.temperature == 1 || options_.rounds < 2) return 1;
    const double left =
        static_cast<double>(options_.rounds - round) / (options_.rounds - 1);
    return std::pow(options_.temperature, left);
  }

  const Dataset& data_;
  const MixtureOptions& options_;
  const Execution& exec_;
  Mixture mixture_;
  Experts experts_;
  std::unique_ptr<GateTrainer> gate_;
  std::vector<double> gate_sum_;  // [N]; the gate's log-odds without the intercept
  Shares prior_;                  // P(. | x_n)
  Shares posterior_;              // P(. | x_n, y_n)
  Shares fitted_;                 // the posterior that the experts were last fitted to
  double objective_ = NAN;
};

}  // namespace

Mixture fit_mixture(const Dataset& data, const MixtureOptions& options,
                    const Execution& exec) {
  check(data, options, exec);
  if (data.num_domains() == 1) return fit_single_domain(data, options, exec);
  return ConditionalEm(data, options, exec).run();
}

}  // namespace megadapt
