#include "evaluation/part_runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <numeric>

#include "models/predictors.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

using Clock = std::chrono::steady_clock;

double elapsed(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_plain(const System* system) { return system->members().empty(); }

double expected_work(const System* system) {
  const SystemCost& cost = system->traits().cost;
  return cost.search * cost.pass;
}

// Whether tuning finds the weights of the system's members.
bool is_weighted(const System& system) {
  return !is_plain(&system) && !system.traits().finds_member_weights;
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
    const std::vector<const System*>& systems,
    const std::function<void(const std::string& system, const Part&)>& finished) {
  // Combinations come last: they are built from the other systems' results.
  std::vector<const System*> first = systems;
  const auto plain = std::stable_partition(first.begin(), first.end(), is_plain);
  const std::vector<const System*> combinations(plain, first.end());
  first.erase(plain, first.end());
  keep_ = !combinations.empty() && options_.tune;
  std::atomic<std::size_t> next = 0;
  const auto work = [&](std::size_t) {
    exec_.throw_if_stopped();
    const System& system = *first[next++];
    const Part part = attempt(system);
    const std::lock_guard lock(mutex_);
    finished(system.name(), part);
  };
  if (beside_) {
    // Threads take the longest work first. Otherwise the longest might start when all
    // others are done.
    std::ranges::stable_sort(first, std::greater(), expected_work);
    exec_.for_each_chunk(first.size(), work);
  } else {
    for (std::size_t i = 0; i < first.size(); ++i) work(i);
  }
  for (const System* system : combinations) finished(system->name(), attempt(*system));
}

Part PartRunner::attempt(const System& system) {
  const PartShape shape{job_.rows.size(), job_.train->num_labels(),
                        job_.train->num_examples()};
  if (auto known = store_.load(job_.split, system, shape)) {
    if (known->left_out.empty()) tuner_.remember(system, known->tuned);
    return *std::move(known);
  }
  Part part;
  try {
    part = is_weighted(system) && options_.tune ? run_combination(system) : run_one(system);
  } catch (const UsageError& error) {
    part.left_out = error.headline();
  }
  store_.save(job_.split, system, part);
  return part;
}

Part PartRunner::run_one(const System& system) {
  Tuned with = tuned(system);
  const auto start = Clock::now();
  PredictorPtr predictor = fit(system, with, false);
  const double seconds = elapsed(start);
  PredictorPtr without;
  if (uses_unlabelled(with.options)) without = fit(system, with, true);
  Part part = finish(std::move(with), *predictor, without.get(), seconds);
  const std::lock_guard lock(mutex_);
  if (keep_) fitted_[system.name()] = std::move(predictor);
  return part;
}

Part PartRunner::run_combination(const System& system) {
  const std::vector<const System*> parts = system.members();
  Tuned with = tuned(system);
  const auto start = Clock::now();
  std::vector<PredictorPtr> predictors, labelled_only;
  std::vector<double> weights;
  for (std::size_t m = 0; m < parts.size(); ++m) {
    const double weight = *with.options.members[m].weight;
    if (weight < kLeastMemberWeight) continue;
    PredictorPtr& known = fitted_[parts[m]->name()];
    const Tuned member = tuned(*parts[m]);
    predictors.push_back(known ? std::move(known) : fit(*parts[m], member, false));
    if (job_.train->unlabelled) labelled_only.push_back(fit(*parts[m], member, true));
    weights.push_back(weight);
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  std::optional<CombinationPredictor> without;
  if (!labelled_only.empty()) without.emplace(std::move(labelled_only), weights);
  const CombinationPredictor combined(std::move(predictors), std::move(weights));
  return finish(std::move(with), combined, without ? &*without : nullptr, elapsed(start));
}

bool PartRunner::uses_unlabelled(const Options& options) const {
  return job_.train->unlabelled &&
         options.unlabelled_weight.value_or(kUnlabelledWeight) > 0;
}

// Fitted predictors have no temperature, because a combination weighs them without it.
Predictions PartRunner::predict(const Predictor& predictor, const Options& options) const {
  const CalibratedPredictor calibrated({std::shared_ptr<const Predictor>(), &predictor},
                                       options.calibration.value_or(1));
  return predict_rows(
      options.calibration ? static_cast<const Predictor&>(calibrated) : predictor,
      *job_.test, job_.rows, job_.target, beside_ ? one_ : exec_);
}

Part PartRunner::finish(Tuned with, const Predictor& predictor, const Predictor* without,
                        double seconds) const {
  Part part;
  part.predictions = predict(predictor, with.options);
  if (without) part.without = predict(*without, with.options);
  part.seconds = with.seconds + seconds;
  part.tuned = std::move(with);
  return part;
}

Tuned PartRunner::tuned(const System& system) const {
  if (options_.tune) return tuner_.tune(system);
  Tuned result;
  result.system = system.name();
  result.options = options_.tuning.base;
  return result;
}

// While systems run side by side, each final fit uses one thread: see SourceFits.
PredictorPtr PartRunner::fit(const System& system, const Tuned& with,
                             bool labelled_only) const {
  Options options = with.options;
  options.calibration.reset();
  if (labelled_only) options.unlabelled_weight = 0;
  return system.fit(*job_.train, job_.target, options,
                    tuner_.context(beside_ ? one_ : exec_));
}

}  // namespace megadapt
