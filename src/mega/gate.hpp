#pragma once

#include <vector>

#include "mega/experts.hpp"
#include "mega/fit_mixture.hpp"
#include "models/predictors.hpp"

namespace megadapt {

/// Learns P(general | x) of a mixture. There is one implementation per kind of `Gate`.
class GateTrainer {
 public:
  virtual ~GateTrainer() = default;
  /// Returns whether the share pi is a separate parameter with its own M-step.
  virtual bool has_share() const = 0;
  /// Fills mixture.gate from the parameters that the mixture holds.
  virtual void linearise(Mixture& mixture) const = 0;
  /// The M-step. `posterior` holds P(. | x, y) and `prior` P(. | x), both times the rows'
  /// weights. Returns the gain of the bound.
  virtual double maximise(const Shares& posterior, const Shares& prior, double tolerance,
                          Mixture& mixture) = 0;
  /// Returns the log prior of the gate's parameters, without constants.
  virtual double log_prior(const Mixture& mixture) const = 0;
};

std::unique_ptr<GateTrainer> make_presence_gate(const Dataset& data, const Experts& experts,
                                                const MixtureOptions& options,
                                                const Execution& exec);
std::unique_ptr<GateTrainer> make_logistic_gate(const Dataset& data, const Experts& experts,
                                                const MixtureOptions& options,
                                                const Execution& exec);
std::unique_ptr<GateTrainer> make_gate(const Dataset& data, const Experts& experts,
                                       const MixtureOptions& options,
                                       const Execution& exec);

/// Returns sum_{f in x_n} weights[f][d] for every row n of domain d: the gate's log-odds
/// without the intercept.
std::vector<double> gate_sums(const Dataset& data, const LinearGate& gate,
                              const Execution& exec);

}  // namespace megadapt
