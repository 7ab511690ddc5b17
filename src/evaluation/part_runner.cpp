#include "evaluation/part_runner.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "models/predictors.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

using Clock = std::chrono::steady_clock;

double elapsed(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_stack(const Adaptation& system) { return &system == &stack_system(); }

bool contains(const std::vector<const Adaptation*>& systems, const Adaptation* system) {
  return std::find(systems.begin(), systems.end(), system) != systems.end();
}

}  // namespace

PartRunner::PartRunner(const Job& job, const CompareOptions& options,
                       const PartStore& store, std::shared_ptr<SourceFits> source_fits,
                       const Execution& exec)
    : job_(job),
      options_(options),
      store_(store),
      exec_(exec),
      beside_(side_by_side(*job.train, exec)),
      tuner_(*job.train, job.target, options.tuning, std::move(source_fits), exec) {}

void PartRunner::run(
    const std::vector<const Adaptation*>& systems,
    const std::function<void(const std::string& system, const Part&)>& finished) {
  // The stack comes last: it is made of what the others left.
  std::vector<const Adaptation*> first = systems;
  keep_ = std::erase(first, &stack_system()) > 0 && options_.tune;
  const auto work = [&](std::size_t i) {
    exec_.throw_if_stopped();
    const Part part = attempt(*first[i]);
    const std::lock_guard lock(mutex_);
    finished(std::string(first[i]->name()), part);
  };
  if (beside_) {
    exec_.for_each_chunk(first.size(), work);
  } else {
    for (std::size_t i = 0; i < first.size(); ++i) work(i);
  }
  if (contains(systems, &stack_system())) {
    finished(std::string(stack_system().name()), attempt(stack_system()));
  }
}

Part PartRunner::attempt(const Adaptation& system) {
  const std::string name(system.name());
  if (auto known = store_.load(job_.split, name, options_.tuning.base)) {
    const std::lock_guard lock(mutex_);
    tuned_[name] = known->tuned;
    return *std::move(known);
  }
  Part part;
  try {
    part = is_stack(system) && options_.tune ? run_stack() : run_one(system);
  } catch (const UsageError& error) {
    const std::string text = error.what();
    part.left_out = text.substr(0, text.find('\n'));
  }
  store_.save(job_.split, name, part);
  return part;
}

Part PartRunner::run_one(const Adaptation& system) {
  Tuned with = tuned(system);
  const auto start = Clock::now();
  std::unique_ptr<Predictor> predictor = fit(system, with);
  Part part = finish(std::move(with), *predictor, elapsed(start));
  const std::lock_guard lock(mutex_);
  if (keep_) fitted_[std::string(system.name())] = std::move(predictor);
  return part;
}

Part PartRunner::run_stack() {
  std::vector<Tuned> members;
  for (const Adaptation* member : stack_members()) members.push_back(tuned(*member));
  Tuned with = tuner_.combine(members);
  const auto start = Clock::now();
  std::vector<std::unique_ptr<Predictor>> predictors;
  std::vector<double> weights;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const double weight = with.options.stack[m].weight;
    if (weight < kLeastMemberWeight) continue;
    std::unique_ptr<Predictor>& known = fitted_[members[m].system];
    predictors.push_back(known ? std::move(known) : fit(*stack_members()[m], members[m]));
    weights.push_back(weight);
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  const CombinationPredictor stack(std::move(predictors), std::move(weights));
  return finish(std::move(with), stack, elapsed(start));
}

Part PartRunner::finish(Tuned with, const Predictor& predictor, double seconds) const {
  Part part;
  part.predictions =
      predict_rows(predictor, *job_.test, job_.rows, job_.target, beside_ ? one_ : exec_);
  part.seconds = with.seconds + seconds;
  part.tuned = std::move(with);
  return part;
}

Tuned PartRunner::tuned(const Adaptation& system) {
  const std::string name(system.name());
  {
    const std::lock_guard lock(mutex_);
    const auto known = tuned_.find(name);
    if (known != tuned_.end()) return known->second;
  }
  Tuned result;
  if (options_.tune) {
    result = tuner_.tune(system);
  } else {
    result.system = name;
    result.options = options_.tuning.base;
  }
  const std::lock_guard lock(mutex_);
  return tuned_[name] = std::move(result);
}

// The final fits take one thread each while systems run side by side: see SourceFits.
std::unique_ptr<Predictor> PartRunner::fit(const Adaptation& system,
                                           const Tuned& with) const {
  return system.fit(*job_.train, job_.target, tuner_.ready(with.options),
                    beside_ ? one_ : exec_);
}

}  // namespace megadapt
