// Prior (D&M06 §6.2, after Chelba and Acero 2004): the source model's weights are the mean
// of the prior that the target's rows are fitted under. Several sources count as one.
#include "models/predictors.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class Prior final : public Adaptation {
 public:
  std::string_view name() const override { return "prior"; }
  std::string_view summary() const override {
    return "target rows under a prior centred on the source's weights";
  }
  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    const auto source = fit_source(data, source_rows(data, target, name(), exec.ranks()),
                                   for_source(options), exec);
    return std::make_unique<MaxentPredictor>(
        data.num_labels(),
        fit_weights(data, data.rows_of(target), {}, *source, options, exec));
  }
  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {variance_knob("0.05"), source_variance_knob()};
  }
};

}  // namespace

const Adaptation& prior_system() {
  static const Prior system;
  return system;
}

}  // namespace megadapt
