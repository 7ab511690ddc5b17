// The plain systems of D&M06 §6.2: one maximum entropy model. They differ in the rows and
// row weights it is fitted with.
#include <fmt/format.h>

#include <algorithm>

#include "models/predictors.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class OnlySource final : public System {
 public:
  using System::System;
  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    return std::make_unique<MaxentPredictor>(
        data.num_labels(),
        *fit_source(data, source_rows(data, target, name(), context.exec.ranks()), options,
                    context));
  }
};

class OnlyTarget final : public System {
 public:
  using System::System;
  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    return fit_plain(data, data.rows_of(target), {}, options, context);
  }
};

class Mix final : public System {
 public:
  using System::System;
  PredictorPtr fit_rows(const Dataset& data, std::uint32_t /*target*/,
                        const Options& options, const FitContext& context) const override {
    return fit_plain(data, all_rows(data), {}, options, context);
  }
};

class WeightedMix final : public System {
 public:
  using System::System;
  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    const double factor = source_factor(data, target, options, context.exec.ranks());
    std::vector<double> weights(data.weight.begin(), data.weight.end());
    for (std::size_t n = 0; n < weights.size(); ++n) {
      if (data.domain[n] != target) weights[n] *= factor;
    }
    return fit_plain(data, all_rows(data), weights, options, context);
  }
  Settings tuning_start(const Dataset& data, std::uint32_t target) const override {
    const double factor = source_factor(data, target, {}, serial_communicator());
    Settings start = traits().tuned;
    start.emplace_back("out-weight", fmt::format("{:.3g}", factor));
    return start;
  }

 private:
  // Source weights are only ever lowered. If the source has fewer rows than the target, the
  // factor is 1.
  double source_factor(const Dataset& data, std::uint32_t target, const Options& options,
                       Communicator& ranks) const {
    const std::vector<std::size_t> source = source_rows(data, target, name(), ranks);
    if (options.out_weight) return *options.out_weight;
    const std::vector<std::size_t> own = data.rows_of(target);
    return std::min(1.0,
                    total_weight(data, own, ranks) / total_weight(data, source, ranks));
  }
};

}  // namespace

const System& only_source_system() {
  static const OnlySource system(
      {.name = "onlyo",
       .summary = "source rows only",
       .cost = {.search = 1.5, .fit = 0.8},
       .in_curves = true,
       .reads = solver_options(),
       .tuned = {{"prior-exponent", "0.3"}, {"variance", "0.3"}}});
  return system;
}
const System& only_target_system() {
  static const OnlyTarget system(
      {.name = "onlyi",
       .summary = "target rows only",
       .cost = {.search = 0.3, .fit = 0.1},
       .needs_source = false,
       .in_curves = true,
       .reads = solver_options(),
       .tuned = {{"prior-exponent", "0.3"}, {"variance", "0.3"}}});
  return system;
}
const System& mix_system() {
  static const Mix system({.name = "mix",
                           .summary = "one model of all rows, pooled",
                           .cost = {.search = 3},
                           .needs_source = false,
                           .reads = solver_options(),
                           .tuned = {{"prior-exponent", "0.3"}, {"variance", "0.3"}}});
  return system;
}
const System& weighted_mix_system() {
  static const WeightedMix system(
      {.name = "mixw",
       .summary = "all rows, with source rows weighted down to the target's total",
       .cost = {.search = 5},
       .in_curves = true,
       .reads = solver_options_and({"out-weight"}),
       .tuned = {{"prior-exponent", "0.3"}, {"variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
