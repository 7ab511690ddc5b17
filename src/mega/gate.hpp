#pragma once

#include <vector>

#include "mega/experts.hpp"
#include "mega/fit_mixture.hpp"
#include "models/predictors.hpp"

namespace megadapt {

/// How a mixture learns P(general | x). One of the kinds of `Gate`.
class GateTrainer {
 public:
  virtual ~GateTrainer() = default;
  /// Whether the share pi is a parameter of its own, with its own step.
  virtual bool has_share() const = 0;
  /// Fills mixture.gate from the parameters the mixture holds.
  virtual void linearise(Mixture& mixture) const = 0;
  /// The M-step. `posterior` holds P(. | x, y), `prior` P(. | x), both times the rows'
  /// weights. Returns the gain of the bound.
  virtual double maximise(const Shares& posterior, const Shares& prior, double tolerance,
                          Mixture& mixture) = 0;
  /// Log prior of the gate's parameters, without constants.
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

/// sum_{f in x_n} weights[f][d] for every row n of domain d: the gate without its
/// intercept.
std::vector<double> gate_sums(const Dataset& data, const LinearGate& gate,
                              const Execution& exec);

}  // namespace megadapt
