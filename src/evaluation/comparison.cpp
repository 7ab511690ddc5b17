#include "megadapt/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "adaptation/fit_memory.hpp"
#include "adaptation/systems.hpp"
#include "dataset/select_rows.hpp"
#include "evaluation/score_rows.hpp"
#include "evaluation/shared_predictor.hpp"
#include "evaluation/tuner.hpp"
#include "evaluation/verdict.hpp"

namespace megadapt {
namespace {

/// One system on one split: tuned and trained on its training part, tested on the other.
struct Part {
  std::string left_out;
  Tuned tuned;
  Predictions predictions;
  double seconds = 0;
};

/// Tunes, trains and tests the systems on one training and one test part.
class PartRunner {
 public:
  PartRunner(const Dataset& train, std::uint32_t target, const Dataset& test,
             std::span<const std::size_t> rows, const CompareOptions& options,
             const std::shared_ptr<SourceFits>& source_fits, const Execution& exec)
      : train_(train),
        target_(target),
        test_(test),
        rows_(rows),
        options_(options),
        exec_(exec),
        tuner_(train, target, options.tuning, source_fits, exec) {}

  /// Adds what `systems` need to the parts.
  void run(const std::vector<const Adaptation*>& systems,
           std::map<std::string, Part>& parts) {
    for (const Adaptation* system : systems) {
      parts[std::string(system->name())] = attempt(*system);
    }
  }

 private:
  Part attempt(const Adaptation& system) {
    Part part;
    try {
      part = system.name() == stack_system().name() ? run_stack() : run_one(system);
    } catch (const UsageError& error) {
      part.left_out = error.what();
      part.left_out = part.left_out.substr(0, part.left_out.find('\n'));
    }
    return part;
  }

  Part run_one(const Adaptation& system) {
    Part part;
    part.tuned = tuned(system);
    const auto start = std::chrono::steady_clock::now();
    const Predictor& predictor = fitted(system, part.tuned);
    part.predictions = predict_rows(predictor, test_, rows_, target_, exec_);
    part.seconds =
        part.tuned.seconds +
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return part;
  }

  Part run_stack() {
    if (!options_.tune) return run_one(stack_system());
    std::vector<Tuned> members;
    for (const Adaptation* member : stack_members()) members.push_back(tuned(*member));
    Part part;
    part.tuned = tuner_.combine(members);
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::unique_ptr<Predictor>> predictors;
    std::vector<double> weights;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double weight = part.tuned.options.stack[m].weight;
      if (weight < kLeastMemberWeight) continue;
      fitted(*stack_members()[m], members[m]);
      predictors.push_back(
          std::make_unique<SharedPredictor>(fitted_[std::string(members[m].system)]));
      weights.push_back(weight);
    }
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= total;
    const CombinationPredictor stack(std::move(predictors), std::move(weights));
    part.predictions = predict_rows(stack, test_, rows_, target_, exec_);
    part.seconds =
        part.tuned.seconds +
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return part;
  }

  const Tuned& tuned(const Adaptation& system) {
    const std::string name(system.name());
    const auto known = tuned_.find(name);
    if (known != tuned_.end()) return known->second;
    Tuned result;
    if (options_.tune) {
      result = tuner_.tune(system);
    } else {
      result.system = name;
      result.options = options_.tuning.base;
    }
    return tuned_[name] = std::move(result);
  }

  const Predictor& fitted(const Adaptation& system, const Tuned& with) {
    auto& predictor = fitted_[std::string(system.name())];
    if (!predictor) predictor = system.fit(train_, target_, with.options, exec_);
    return *predictor;
  }

  const Dataset& train_;
  std::uint32_t target_;
  const Dataset& test_;
  std::span<const std::size_t> rows_;
  const CompareOptions& options_;
  const Execution& exec_;
  Tuner tuner_;
  std::map<std::string, Tuned> tuned_;
  std::map<std::string, std::shared_ptr<const Predictor>> fitted_;
};

void append(Predictions& all, const Predictions& more) {
  all.label.insert(all.label.end(), more.label.begin(), more.label.end());
  all.probability.insert(all.probability.end(), more.probability.begin(),
                         more.probability.end());
}

}  // namespace

Comparison compare(const Dataset& train, std::uint32_t target, const Dataset* test,
                   const CompareOptions& options, const Execution& exec) {
  std::vector<const Adaptation*> systems;
  for (const std::string& name : options.systems) {
    systems.push_back(&find_adaptation(name));
  }
  if (systems.empty()) systems.assign(adaptations().begin(), adaptations().end());

  const auto source_fits = std::make_shared<SourceFits>();
  const std::uint64_t seed = options.tuning.base.seed;
  const Dataset& tested = test ? *test : train;
  std::vector<Split> splits;
  Comparison comparison;
  if (test) {
    splits.emplace_back();
    splits[0].held_out.resize(test->num_examples());
    std::iota(splits[0].held_out.begin(), splits[0].held_out.end(), 0);
    comparison.duplicates = count_duplicates(train, target, *test);
  } else {
    splits = target_folds(train, target, options.folds, seed);
    comparison.duplicates = count_duplicates(train, target, splits);
  }
  std::vector<std::size_t> rows;
  for (const Split& split : splits) {
    rows.insert(rows.end(), split.held_out.begin(), split.held_out.end());
  }
  comparison.examples = rows.size();

  std::vector<std::map<std::string, Part>> parts(splits.size());
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Dataset part_train = test ? Dataset() : select_rows(train, splits[s].train);
    PartRunner runner(test ? train : part_train, target, tested, splits[s].held_out,
                      options, source_fits, exec);
    runner.run(systems, parts[s]);
  }

  std::vector<std::vector<std::uint8_t>> hit;
  for (const Adaptation* system : systems) {
    const std::string name(system->name());
    SystemResult result{.name = name};
    for (auto& of_split : parts) {
      Part& part = of_split[name];
      if (!part.left_out.empty()) result.left_out = part.left_out;
      append(result.predictions, part.predictions);
      result.seconds += part.seconds;
      result.tuned = part.tuned.settings;
      result.tried = part.tuned.tried;
    }
    if (result.left_out.empty()) {
      result.evaluation =
          evaluate_rows(tested, rows, train.num_labels(), result.predictions, seed);
      hit.push_back(hits(tested, rows, result.predictions));
    } else {
      hit.emplace_back();
    }
    if (options.on_system) options.on_system(result);
    comparison.systems.push_back(std::move(result));
  }
  std::vector<std::uint32_t> group;
  if (!tested.group.empty()) {
    for (const std::size_t n : rows) group.push_back(tested.group[n]);
  }
  conclude(comparison, hit, group, options.rank, seed);
  return comparison;
}

std::vector<std::string> parse_systems(std::string_view text) {
  std::vector<std::string> asked;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, comma - begin);
    if (name == "all") {
      for (const Adaptation* system : adaptations()) asked.emplace_back(system->name());
    } else if (!name.empty()) {
      asked.emplace_back(find_adaptation(name).name());
    }
    begin = comma + 1;
  }
  if (asked.empty()) {
    throw UsageError("no system is named",
                     "write --systems all, or names such as mix,megam");
  }
  std::vector<std::string> names;
  for (const Adaptation* system : adaptations()) {
    if (std::find(asked.begin(), asked.end(), system->name()) != asked.end()) {
      names.emplace_back(system->name());
    }
  }
  return names;
}

}  // namespace megadapt
