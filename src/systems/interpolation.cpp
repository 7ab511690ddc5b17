// LinI (D&M06 §6.2): a model of each domain on its own, their probabilities interpolated.
// The weights maximise the likelihood of the target's rows, where the target's own model
// has not seen the row that it predicts.
#include <fmt/format.h>

#include "execution/collectives.hpp"
#include "models/predictors.hpp"
#include "systems/combination_weights.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr double kFewestRowsToTell = 4;

class Interpolation final : public Adaptation {
 public:
  std::string_view name() const override { return "lini"; }
  std::string_view summary() const override {
    return "each domain's own model, probabilities interpolated";
  }

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    const auto sources = source_domains(data, target, name(), exec.ranks());
    std::vector<std::unique_ptr<Predictor>> members;
    std::vector<std::string> names{std::string(data.domains().name(target))};
    members.push_back(fit_plain(data, data.rows_of(target), {}, options, exec));
    for (const std::uint32_t d : sources) {
      members.push_back(std::make_unique<MaxentPredictor>(
          data.num_labels(),
          *fit_source(data, data.rows_of(d), for_source(options), exec)));
      names.emplace_back(data.domains().name(d));
    }
    std::vector<double> weights =
        options.interpolation ? given_weights(*options.interpolation, sources.size())
                              : fitted_weights(data, target, options, members, exec);
    return std::make_unique<CombinationPredictor>(std::move(members), std::move(weights),
                                                  std::move(names));
  }

  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {variance_knob(), source_variance_knob()};
  }

 private:
  static std::vector<double> given_weights(double own, std::size_t sources) {
    if (!(own >= 0 && own <= 1)) {
      throw UsageError(fmt::format("the interpolation weight {} is not in [0, 1]", own),
                       "give the target's own model a weight from 0 to 1");
    }
    std::vector<double> weights(1 + sources, (1 - own) / static_cast<double>(sources));
    weights[0] = own;
    return weights;
  }

  static std::vector<double> fitted_weights(
      const Dataset& data, std::uint32_t target, const AdaptationOptions& options,
      const std::vector<std::unique_ptr<Predictor>>& members, const Execution& exec) {
    const std::vector<std::size_t> own = data.rows_of(target);
    if (summed(exec.ranks(), static_cast<double>(own.size())) < kFewestRowsToTell) {
      return given_weights(0.5, members.size() - 1);
    }
    AdaptationOptions quiet = options;
    quiet.on_fit = {};
    quiet.on_progress = {};
    auto probability = out_of_fold(data, target, {{&only_target_system(), quiet}},
                                   options.folds, options.seed, exec);
    std::vector<double> weight, p(data.num_labels());
    for (const std::size_t n : own) weight.push_back(static_cast<double>(data.weight[n]));
    for (std::size_t m = 1; m < members.size(); ++m) {
      probability.emplace_back();
      for (const std::size_t n : own) {
        members[m]->predict(data.rows[n], target, p);
        probability.back().push_back(p[data.label[n]]);
      }
    }
    return combination_weights(probability, weight, exec.ranks());
  }
};

}  // namespace

const Adaptation& interpolation_system() {
  static const Interpolation system;
  return system;
}

}  // namespace megadapt
