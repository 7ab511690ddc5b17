// A gate that is a logistic regression: the paper's conditional likelihood, but with free
// weights under a Gaussian prior instead of two naive Bayes models.

#include "base/log_space.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/gate.hpp"
#include "mega/gate_columns.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {
namespace {

class LogisticGate final : public GateTrainer {
 public:
  LogisticGate(const Dataset& data, const Experts& experts, const MixtureOptions& options,
               const Execution& exec)
      : K_(data.num_domains()),
        num_features_(data.num_features()),
        experts_(experts),
        options_(options),
        exec_(exec),
        features_(choose_gate_features(data, options.gate_features, exec)) {
    copy_rows(data);
    for (std::uint32_t d = 0; d < K_; ++d) {
      exec.throw_if_stopped();
      // Every row appears twice, as general and as specific, weighted by its posterior.
      const auto own = experts.rows(d);
      std::vector<std::size_t> twice(own.begin(), own.end());
      twice.insert(twice.end(), own.begin(), own.end());
      std::vector<std::uint32_t> label(own.size(), 0);
      label.resize(2 * own.size(), 1);
      problem_.emplace_back(rows_, static_cast<std::uint32_t>(features_.size() + 1), twice,
                            std::move(label), 2, exec);
    }
  }

  bool has_share() const override { return false; }

  void linearise(Mixture& mixture) const override {
    if (!mixture.gate.intercept.empty()) return;
    mixture.gate.weights.assign(num_features_ * K_, 0);
    for (const double share : mixture.general_share) {
      mixture.gate.intercept.push_back(logit(share));
    }
  }

  double maximise(const Shares& posterior, const Shares& /*prior*/, double tolerance,
                  Mixture& mixture) override {
    double gain = 0;
    for (std::uint32_t d = 0; d < K_; ++d) {
      gain += maximise_domain(posterior, d, tolerance, mixture);
      mixture.general_share[d] = mean_share(posterior, d, mixture.gate);
    }
    return gain;
  }

  double log_prior(const Mixture& mixture) const override {
    double sum = 0;
    for (const double u : mixture.gate.weights) sum += u * u;
    for (const double b : mixture.gate.intercept) sum += b * b;
    return -sum / (2 * options_.gate_variance);
  }

 private:
  // Copies the presence of each row's gate features; the intercept is the last feature.
  void copy_rows(const Dataset& data) {
    std::vector<std::uint32_t> gate_id(data.num_features(), kNone);
    for (std::uint32_t g = 0; g < features_.size(); ++g) gate_id[features_[g]] = g;
    RowBuilder builder(rows_);
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      const RowView row = data.rows[n];
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        const bool present = row.values.empty() || row.values[i] > 0;
        const std::uint32_t g = gate_id[row.features[i]];
        if (present && g != kNone) builder.add(g);
      }
      builder.add(static_cast<std::uint32_t>(features_.size()));
      builder.end();
    }
  }

  // Log-odds u as a two-label model: +u/2 for general, -u/2 for specific. If u has variance
  // v, each label's weight has v/2.
  double maximise_domain(const Shares& posterior, std::uint32_t d, double tolerance,
                         Mixture& mixture) {
    const auto own = experts_.rows(d);
    std::vector<double> weight(2 * own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      weight[i] = posterior.general[own[i]];
      weight[own.size() + i] = posterior.specific[own[i]];
    }
    std::vector<double> start(2 * (features_.size() + 1));
    const auto at = [&](std::size_t g) -> double& {
      return g < features_.size() ? mixture.gate.weights[features_[g] * K_ + d]
                                  : mixture.gate.intercept[d];
    };
    for (std::size_t g = 0; g <= features_.size(); ++g) {
      start[2 * g] = at(g) / 2;
      start[2 * g + 1] = -at(g) / 2;
    }
    MaxentOptions maxent;
    maxent.prior.variance = options_.gate_variance / 2;
    maxent.tolerance = tolerance;
    maxent.max_passes = options_.max_passes;
    maxent.precision = options_.precision;
    maxent.start = start;
    const MaxentFit fit = problem_[d].fit(weight, maxent, exec_);
    const double before = value(weight, start, d);
    for (std::size_t g = 0; g <= features_.size(); ++g) {
      at(g) = fit.weights[2 * g] - fit.weights[2 * g + 1];
    }
    return value(weight, fit.weights, d) - before;
  }

  double value(std::span<const double> weight, std::span<const double> weights,
               std::uint32_t d) const {
    const auto log_likelihood =
        problem_[d].log_likelihood(weights, options_.precision, exec_);
    double total = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) total += weight[i] * log_likelihood[i];
    exec_.ranks().sum({&total, 1});
    for (const double w : weights) total -= w * w / options_.gate_variance;
    return total;
  }

  // This gate has no parameter pi; the domain's mean P(g | x) takes its place.
  double mean_share(const Shares& posterior, std::uint32_t d,
                    const LinearGate& gate) const {
    double general_and_all[2] = {};
    for (const std::size_t n : experts_.rows(d)) {
      double log_odds = gate.intercept[d];
      for (const std::uint32_t g : rows_[n].features) {
        if (g < features_.size()) log_odds += gate.weights[features_[g] * K_ + d];
      }
      const double v = posterior.general[n] + posterior.specific[n];
      general_and_all[0] += v * sigmoid(log_odds);
      general_and_all[1] += v;
    }
    exec_.ranks().sum(general_and_all);
    return general_and_all[0] / general_and_all[1];
  }

  std::size_t K_;
  std::size_t num_features_;
  const Experts& experts_;
  const MixtureOptions& options_;
  const Execution& exec_;
  std::vector<std::uint32_t> features_;
  SparseRows rows_;                     // [N] over the gate's features and the intercept
  std::vector<MaxentProblem> problem_;  // [K]
};

}  // namespace

std::unique_ptr<GateTrainer> make_logistic_gate(const Dataset& data, const Experts& experts,
                                                const MixtureOptions& options,
                                                const Execution& exec) {
  return std::make_unique<LogisticGate>(data, experts, options, exec);
}

}  // namespace megadapt
