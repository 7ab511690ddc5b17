// A gate that looks at nothing: pi is all there is.
#include "base/log_space.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/gate.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

class ShareGate final : public GateTrainer {
 public:
  explicit ShareGate(const Dataset& data) : num_features_(data.num_features()) {}

  bool has_share() const override { return true; }

  void linearise(Mixture& mixture) const override {
    mixture.gate.intercept.clear();
    for (const double share : mixture.general_share) {
      mixture.gate.intercept.push_back(logit(share));
    }
    mixture.gate.weights.assign(num_features_ * mixture.general_share.size(), 0);
  }

  double maximise(const Shares& /*posterior*/, const Shares& /*prior*/,
                  double /*tolerance*/, Mixture& /*mixture*/) override {
    return 0;
  }

  double log_prior(const Mixture& /*mixture*/) const override { return 0; }

 private:
  std::size_t num_features_;
};

}  // namespace

std::unique_ptr<GateTrainer> make_gate(const Dataset& data, const Experts& experts,
                                       const MixtureOptions& options,
                                       const Execution& exec) {
  switch (options.gate) {
    case Gate::logistic:
      return make_logistic_gate(data, experts, options, exec);
    case Gate::share:
      return std::make_unique<ShareGate>(data);
    case Gate::presence:
      break;
  }
  return make_presence_gate(data, experts, options, exec);
}

}  // namespace megadapt
