// The gate of the paper: p(x | c) is naive Bayes over the presence of features (D&M06
// §3.2).
#include <cmath>

#include "base/log_space.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/gate.hpp"
#include "mega/gate_columns.hpp"
#include "mega/presence_step.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

class PresenceGate final : public GateTrainer {
 public:
  PresenceGate(const Dataset& data, const Experts& experts, const MixtureOptions& options,
               const Execution& exec)
      : data_(data),
        K_(data.num_domains()),
        num_features_(data.num_features()),
        experts_(experts),
        options_(options),
        exec_(exec),
        columns_(data, choose_gate_features(data, options.gate_features, exec)) {}

  bool has_share() const override { return true; }

  // log p(x|g) - log p(x|d) = c_d + sum_{f in x} (logit psi_g,f - logit psi_d,f) with
  // c_d = sum_f log((1-psi_g,f) / (1-psi_d,f)).
  // c_d sums differences: with many features two separate sums would be so large that their
  // difference lost its digits.
  void linearise(Mixture& mixture) const override {
    mixture.gate.intercept.assign(K_, 0);
    mixture.gate.weights.resize(num_features_ * K_);
    const std::vector<double>& general = mixture.general.presence;
    exec_.for_each_chunk(K_, [&](std::size_t d) {
      exec_.throw_if_stopped();
      const std::vector<double>& own = mixture.domain[d].presence;
      double constant = 0;
      for (const std::uint32_t f : columns_.features()) {
        const double absent = std::log1p(-general[f]) - std::log1p(-own[f]);
        constant += absent;
        mixture.gate.weights[f * K_ + d] = std::log(general[f] / own[f]) - absent;
      }
      mixture.gate.intercept[d] = logit(mixture.general_share[d]) + constant;
    });
  }

  // The bound is a sum over components, so each is maximised separately.
  double maximise(const Shares& posterior, const Shares& prior, double /*tolerance*/,
                  Mixture& mixture) override {
    const bool jointly = options_.psi_step == PsiStep::lbfgs;
    std::vector<double> gain(K_ + 1);
    const auto maximise_component = [&](std::size_t c) {
      exec_.throw_if_stopped();
      const bool is_general = c == 0;
      const auto d = static_cast<std::uint32_t>(c - 1);
      const PresenceStep step{columns_,
                              is_general ? kNone : d,
                              is_general ? experts_.all_rows() : experts_.rows(d),
                              is_general ? posterior.general : posterior.specific,
                              is_general ? prior.general : prior.specific,
                              options_.beta,
                              options_.psi_sweeps,
                              static_cast<bool>(options_.on_step)};
      std::vector<double>& presence =
          is_general ? mixture.general.presence : mixture.domain[d].presence;
      gain[c] = jointly ? maximise_presence_jointly(data_, step, presence, exec_)
                        : maximise_presence(step, presence);
    };
    if (jointly) {  // one after the other: every rank must reduce in the same order
      for (std::size_t c = 0; c <= K_; ++c) maximise_component(c);
    } else {
      exec_.for_each_chunk(K_ + 1, maximise_component);
    }
    linearise(mixture);
    double total = 0;
    for (const double g : gain) total += g;
    return total;
  }

  double log_prior(const Mixture& mixture) const override {
    double sum = log_prior_of(mixture.general);
    for (const Component& component : mixture.domain) sum += log_prior_of(component);
    return sum;
  }

 private:
  double log_prior_of(const Component& component) const {
    double sum = 0;
    for (const std::uint32_t f : columns_.features()) {
      sum += (options_.beta.a - 1) * std::log(component.presence[f]) +
             (options_.beta.b - 1) * std::log1p(-component.presence[f]);
    }
    return sum;
  }

  const Dataset& data_;
  std::size_t K_;
  std::size_t num_features_;
  const Experts& experts_;
  const MixtureOptions& options_;
  const Execution& exec_;
  GateColumns columns_;
};

}  // namespace

std::unique_ptr<GateTrainer> make_presence_gate(const Dataset& data, const Experts& experts,
                                                const MixtureOptions& options,
                                                const Execution& exec) {
  return std::make_unique<PresenceGate>(data, experts, options, exec);
}

}  // namespace megadapt
