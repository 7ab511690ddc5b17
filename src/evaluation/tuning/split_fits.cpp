// The fits of a search: settings on splits of the target's rows.
#include "evaluation/tuning/split_fits.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "dataset/select_rows.hpp"
#include "evaluation/tuning/thrift.hpp"
#include "systems/fit_memory.hpp"
#include "systems/systems.hpp"

namespace megadapt {

SplitFits::SplitFits(const Tuner& tuner, const System& system)
    : tuner_(tuner),
      system_(system),
      source_fits_(std::make_shared<SourceFits>(tuner.sample_fits_)),
      seconds_(tuner.splits_.size()),
      work_(tuner.splits_.size()) {
  for (std::size_t s = 0; s < tuner.splits_.size(); ++s) {
    warm_.push_back(std::make_shared<WarmStarts>());
  }
}

std::vector<SplitFits::Run> SplitFits::runs_of(
    const std::vector<Candidate*>& candidates) const {
  const std::string& passed = system_.traits().passed;
  std::vector<Run> runs;
  std::vector<Settings> common;  // [runs]; without the passed option
  for (Candidate* candidate : candidates) {
    Settings rest = candidate->settings;
    std::string value;
    for (auto& [name, own] : rest) {
      if (name == passed) std::swap(value, own);
    }
    auto at = static_cast<std::size_t>(std::find(common.begin(), common.end(), rest) -
                                       common.begin());
    if (value.empty()) at = common.size();  // shares nothing
    if (at == common.size()) {
      common.push_back(rest);
      runs.emplace_back();
    }
    runs[at].candidates.push_back(candidate);
    runs[at].values.push_back(value);
  }
  return runs;
}

void SplitFits::fit(const std::vector<Candidate*>& candidates, std::size_t from,
                    std::size_t to) {
  if (candidates.empty() || from >= to) return;
  const std::vector<Run> runs = runs_of(candidates);
  for (Candidate* candidate : candidates) {
    candidate->predicted.resize(tuner_.splits_.size());
  }
  std::fill(seconds_.begin(), seconds_.end(), 0);
  std::fill(work_.begin(), work_.end(), 0);
  const bool beside = side_by_side(tuner_.data_, tuner_.exec_);
  const Execution one(1);
  const auto work = [&](std::size_t s) {
    if (is_ours(s)) fit_split(runs, s, beside ? one : tuner_.exec_);
  };
  if (beside) {
    tuner_.exec_.for_each_chunk(to - from, [&](std::size_t i) { work(from + i); });
  } else {
    for (std::size_t s = from; s < to; ++s) work(s);
  }
  if (tuner_.options_.ranks->size() > 1) exchange(candidates, from, to);
  const double seconds = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
  passes_ += tuner_.in_passes(std::accumulate(work_.begin(), work_.end(), 0.0));
  for (Candidate* candidate : candidates) {
    candidate->seconds += seconds / static_cast<double>(candidates.size());
  }
}

void SplitFits::fit_split(const std::vector<Run>& runs, std::size_t split,
                          const Execution& exec) {
  tuner_.exec_.throw_if_stopped();
  const auto start = std::chrono::steady_clock::now();
  const Dataset train = select_rows(tuner_.data_, tuner_.splits_[split].train);
  for (const Run& run : runs) fit_run(run, split, train, exec);
  seconds_[split] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void SplitFits::fit_run(const Run& run, std::size_t split, const Dataset& train,
                        const Execution& exec) {
  const std::vector<PredictorPtr> fitted = predictors(run, split, train, exec);
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    run.candidates[i]->predicted[split] = predict_rows(
        *fitted[i], tuner_.data_, tuner_.splits_[split].held_out, tuner_.target_, exec);
  }
}

std::vector<PredictorPtr> SplitFits::predictors(const Run& run, std::size_t split,
                                                const Dataset& train,
                                                const Execution& exec) {
  Options options = tuner_.options_.base;
  system_.apply(run.candidates[0]->settings, options);
  options = tuner_.for_search(options);
  FitContext context = tuner_.search_context(exec);
  context.source_fits = source_fits_;
  context.warm_starts = warm_[split];
  context.on_fit = [this, split, tell = context.on_fit](const MaxentFit& fit) {
    ++fits_;
    work_[split] += fit.work;  // a split's fits run one after another
    if (tell) tell(fit);
  };
  if (run.values.size() > 1) {
    return system_.fit_each(train, tuner_.target_, options, system_.traits().passed,
                            run.values, context);
  }
  std::vector<PredictorPtr> fitted;
  fitted.push_back(system_.fit(train, tuner_.target_, options, context));
  return fitted;
}

// Folds are dealt to the ranks. Each fold has its own warm starts, as on one rank.
bool SplitFits::is_ours(std::size_t split) const {
  const Communicator& ranks = *tuner_.options_.ranks;
  return split % static_cast<std::size_t>(ranks.size()) ==
         static_cast<std::size_t>(ranks.rank());
}

// Collects the results of all ranks: each number is set on one rank and 0 on the others.
void SplitFits::exchange(const std::vector<Candidate*>& candidates, std::size_t from,
                         std::size_t to) {
  Communicator& ranks = *tuner_.options_.ranks;
  ranks.sum(seconds_);
  ranks.sum(work_);
  for (Candidate* candidate : candidates) {
    for (std::size_t s = from; s < to; ++s) {
      Predictions& predicted = candidate->predicted[s];
      const std::size_t rows = tuner_.splits_[s].held_out.size();
      std::vector<double> label(predicted.label.begin(), predicted.label.end());
      label.resize(rows);
      ranks.sum(label);
      predicted.label.assign(label.begin(), label.end());
      predicted.probability.resize(rows * tuner_.data_.num_labels());
      ranks.sum(predicted.probability);
    }
  }
}

}  // namespace megadapt
