// The plain systems of D&M06 §6.2: one maximum entropy model, on chosen rows with chosen
// weights.
#include <fmt/format.h>

#include <algorithm>

#include "models/predictors.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class OnlySource final : public Adaptation {
 public:
  std::string_view name() const override { return "onlyo"; }
  std::string_view summary() const override { return "source rows alone"; }
  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    return std::make_unique<MaxentPredictor>(
        data.num_labels(),
        *fit_source(data, source_rows(data, target, name(), exec.ranks()), options, exec));
  }
  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {variance_knob()};
  }
};

class OnlyTarget final : public Adaptation {
 public:
  std::string_view name() const override { return "onlyi"; }
  std::string_view summary() const override { return "target rows alone"; }
  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    return fit_plain(data, data.rows_of(target), {}, options, exec);
  }
  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {variance_knob()};
  }
};

class Mix final : public Adaptation {
 public:
  std::string_view name() const override { return "mix"; }
  std::string_view summary() const override { return "all rows alike"; }
  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t /*target*/,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    return fit_plain(data, all_rows(data), {}, options, exec);
  }
  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {variance_knob()};
  }
};

class WeightedMix final : public Adaptation {
 public:
  std::string_view name() const override { return "mixw"; }
  std::string_view summary() const override {
    return "all rows, source rows weighted down to the target's total";
  }
  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    const double factor = source_factor(data, target, options, exec.ranks());
    std::vector<double> weights(data.weight.begin(), data.weight.end());
    for (std::size_t n = 0; n < weights.size(); ++n) {
      if (data.domain[n] != target) weights[n] *= factor;
    }
    return fit_plain(data, all_rows(data), weights, options, exec);
  }
  std::vector<Knob> knobs(const Dataset& data, std::uint32_t target) const override {
    const double factor = source_factor(data, target, {}, serial_communicator());
    return {variance_knob(), {"out-weight", {fmt::format("{:.3g}", factor)}, 3}};
  }

 private:
  // Weights are lowered only: where the source has fewer rows than the target, both count
  // as they are.
  double source_factor(const Dataset& data, std::uint32_t target,
                       const AdaptationOptions& options, Communicator& ranks) const {
    const std::vector<std::size_t> source = source_rows(data, target, name(), ranks);
    if (options.out_weight > 0) return options.out_weight;
    const std::vector<std::size_t> own = data.rows_of(target);
    return std::min(1.0,
                    total_weight(data, own, ranks) / total_weight(data, source, ranks));
  }
};

}  // namespace

const Adaptation& only_source_system() {
  static const OnlySource system;
  return system;
}
const Adaptation& only_target_system() {
  static const OnlyTarget system;
  return system;
}
const Adaptation& mix_system() {
  static const Mix system;
  return system;
}
const Adaptation& weighted_mix_system() {
  static const WeightedMix system;
  return system;
}

}  // namespace megadapt
