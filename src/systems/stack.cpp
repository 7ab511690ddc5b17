// Stack: a convex combination of the other systems. EM finds its weights from predictions
// for target rows that the systems were not trained on.
#include <fmt/format.h>

#include "execution/collectives.hpp"
#include "models/predictors.hpp"
#include "systems/combination_weights.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

using Chosen = std::vector<std::pair<const System*, Options>>;

class Stack final : public System {
 public:
  using System::System;

  // LinI is missing because it is itself a combination of systems listed here.
  std::vector<const System*> members() const override {
    return {&only_source_system(),
            &only_target_system(),
            &mix_system(),
            &weighted_mix_system(),
            &source_features_system(),
            &prior_system(),
            &easy_adapt_system(),
            &mega_system(),
            &pool_system()};
  }

  PredictorPtr fit_rows(const Dataset& data, std::uint32_t target, const Options& options,
                        const FitContext& context) const override {
    Communicator& ranks = context.exec.ranks();
    source_rows(data, target, name(), ranks);
    if (!options.members.empty()) {
      return combine_given(data, target, options, quiet(context));
    }
    Chosen systems;
    for (const System* system : members()) systems.emplace_back(system, options);
    std::vector<double> weights(systems.size(), 1.0 / static_cast<double>(systems.size()));
    const std::vector<std::size_t> own = data.rows_of(target);
    if (summed(ranks, static_cast<double>(own.size())) >= kFewestRowsToTell) {
      const auto probability =
          out_of_fold(data, target, systems, options.folds, options.seed, quiet(context));
      std::vector<double> row_weight;
      for (const std::size_t n : own)
        row_weight.push_back(static_cast<double>(data.weight[n]));
      weights = combination_weights(probability, row_weight, ranks);
    }
    return combine(data, target, systems, weights, quiet(context));
  }

 private:
  static PredictorPtr combine_given(const Dataset& data, std::uint32_t target,
                                    const Options& options, const FitContext& context) {
    Chosen systems;
    std::vector<double> weights;
    Options plain = options;
    plain.members.clear();
    for (const Member& member : options.members) {
      const System& system = find_system(member.system);
      systems.emplace_back(&system, plain);
      system.apply(member.settings, systems.back().second);
      if (!member.weight) {
        throw UsageError(
            fmt::format("the member '{}' of stack has no weight", member.system),
            "give every member a weight, or give no members");
      }
      weights.push_back(*member.weight);
    }
    return combine(data, target, systems, weights, context);
  }

  // Leaves out members of negligible weight.
  static PredictorPtr combine(const Dataset& data, std::uint32_t target,
                              const Chosen& systems, const std::vector<double>& weights,
                              const FitContext& context) {
    std::vector<PredictorPtr> kept;
    std::vector<double> kept_weights;
    std::vector<std::string> names;
    double total = 0;
    for (std::size_t s = 0; s < systems.size(); ++s) {
      if (weights[s] < kLeastMemberWeight) continue;
      kept.push_back(systems[s].first->learn(data, target, systems[s].second, context));
      kept_weights.push_back(weights[s]);
      names.emplace_back(systems[s].first->name());
      total += weights[s];
    }
    if (kept.empty()) {
      throw UsageError("all members of stack have a weight near 0",
                       "give a member a weight above 0");
    }
    for (double& weight : kept_weights) weight /= total;
    return std::make_unique<CombinationPredictor>(std::move(kept), std::move(kept_weights),
                                                  std::move(names));
  }
};

// Returns the options that the members read, and `folds`.
std::vector<std::string> read_by_members(const std::vector<const System*>& members) {
  std::vector<std::string> names{"folds"};
  for (const System* member : members) {
    const auto& more = member->traits().reads;
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

}  // namespace

const System& stack_system() {
  static const Stack system(
      {.name = "stack",
       .summary = "weighted combination of the other systems' probabilities",
       .cost = {.search = 0, .fit = 0},
       .reads = read_by_members(Stack(SystemTraits{}).members())});
  return system;
}

}  // namespace megadapt
