// Stack: a convex combination of the other systems, weighted by EM on what they predict for
// target rows that they have not seen.
#include "execution/collectives.hpp"
#include "models/predictors.hpp"
#include "systems/combination_weights.hpp"
#include "systems/fitting.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr double kFewestRowsToTell = 4;

class Stack final : public Adaptation {
 public:
  std::string_view name() const override { return "stack"; }
  std::string_view summary() const override {
    return "the other systems, probabilities combined";
  }

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const AdaptationOptions& options,
                                 const Execution& exec) const override {
    source_rows(data, target, name(), exec.ranks());
    AdaptationOptions quiet = options;
    quiet.on_progress = {};
    quiet.on_fit = {};
    quiet.mega.on_step = {};
    quiet.mega.checkpoint.clear();
    quiet.stack.clear();
    if (!options.stack.empty())
      return combine_given(data, target, options.stack, quiet, exec);
    std::vector<std::pair<const Adaptation*, AdaptationOptions>> systems;
    for (const Adaptation* system : stack_members()) systems.emplace_back(system, quiet);

    std::vector<double> weights(systems.size(), 1.0 / static_cast<double>(systems.size()));
    const std::vector<std::size_t> own = data.rows_of(target);
    if (summed(exec.ranks(), static_cast<double>(own.size())) >= kFewestRowsToTell) {
      const auto probability =
          out_of_fold(data, target, systems, options.folds, options.seed, exec);
      std::vector<double> row_weight;
      for (const std::size_t n : own)
        row_weight.push_back(static_cast<double>(data.weight[n]));
      weights = combination_weights(probability, row_weight, exec.ranks());
    }
    return combine(data, target, systems, weights, exec);
  }
  /// Its members have theirs.
  std::vector<Knob> knobs(const Dataset& /*data*/,
                          std::uint32_t /*target*/) const override {
    return {};
  }

 private:
  static std::unique_ptr<Predictor> combine_given(const Dataset& data, std::uint32_t target,
                                                  const std::vector<StackMember>& members,
                                                  const AdaptationOptions& options,
                                                  const Execution& exec) {
    std::vector<std::pair<const Adaptation*, AdaptationOptions>> systems;
    std::vector<double> weights;
    for (const StackMember& member : members) {
      systems.emplace_back(&find_adaptation(member.system), options);
      set_options(systems.back().second, member.settings);
      weights.push_back(member.weight);
    }
    return combine(data, target, systems, weights, exec);
  }

  // Members that would hardly be heard are left out.
  static std::unique_ptr<Predictor> combine(
      const Dataset& data, std::uint32_t target,
      const std::vector<std::pair<const Adaptation*, AdaptationOptions>>& systems,
      const std::vector<double>& weights, const Execution& exec) {
    std::vector<std::unique_ptr<Predictor>> kept;
    std::vector<double> kept_weights;
    std::vector<std::string> names;
    double total = 0;
    for (std::size_t s = 0; s < systems.size(); ++s) {
      if (weights[s] < kLeastMemberWeight) continue;
      kept.push_back(systems[s].first->fit(data, target, systems[s].second, exec));
      kept_weights.push_back(weights[s]);
      names.emplace_back(systems[s].first->name());
      total += weights[s];
    }
    for (double& weight : kept_weights) weight /= total;
    return std::make_unique<CombinationPredictor>(std::move(kept), std::move(kept_weights),
                                                  std::move(names));
  }
};

}  // namespace

// LinI is a combination itself, of two that are here.
std::vector<const Adaptation*> stack_members() {
  return {&only_source_system(),
          &only_target_system(),
          &mix_system(),
          &weighted_mix_system(),
          &source_features_system(),
          &prior_system(),
          &easy_adapt_system(),
          &mega_system(),
          &mega_loo_system()};
}

const Adaptation& stack_system() {
  static const Stack system;
  return system;
}

}  // namespace megadapt
