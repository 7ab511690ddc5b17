#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "dataset/select_rows.hpp"
#include "evaluation/curves/repeats.hpp"
#include "evaluation/nested_samples.hpp"
#include "evaluation/score_rows.hpp"
#include "evaluation/tuner.hpp"
#include "evaluation/tuning/unlabelled.hpp"
#include "evaluation/verdict.hpp"
#include "megadapt/comparison.hpp"
#include "systems/fit_memory.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

class CurveRunner {
 public:
  CurveRunner(const Dataset& train, std::uint32_t target, const Dataset* test,
              const CurveOptions& options, const Execution& exec)
      : train_(train),
        target_(target),
        test_(test),
        options_(options),
        exec_(exec),
        source_fits_(std::make_shared<SourceFits>()) {
    choose_systems();
    refuse_unread(systems_, options.tuning.fixed);
    shuffle_repeats();
    choose_sizes();
  }

  LearningCurves run() {
    if (options_.when_tuned == CurveTuning::once) tune_pools();
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      const bool last = s + 1 == sizes_.size();
      std::vector<std::size_t> systems(systems_.size());
      std::iota(systems.begin(), systems.end(), std::size_t{0});
      if (result_.stopped) systems = {reference_};
      if (result_.stopped && !last) continue;
      run_size(s, systems);
      if (options_.stop && s > 0 && !last) result_.stopped = flat();
    }
    result_.repeats = options_.repeats;
    result_.sizes = sizes_;
    conclude_curves(result_, std::string(train_.domains().name(target_)));
    return std::move(result_);
  }

 private:
  const Dataset& tested() const { return test_ ? *test_ : train_; }

  void choose_systems() {
    const std::vector<std::string>& names = options_.systems;
    for (const std::string& name : names) find_system(name);
    for (const System* system : systems()) {
      const bool is_reference = system == &only_target_system();
      const bool asked = names.empty() ? system->traits().in_curves
                                       : std::find(names.begin(), names.end(),
                                                   system->name()) != names.end();
      if (!asked && !is_reference) continue;
      if (is_reference) reference_ = systems_.size();
      systems_.push_back(system);
      result_.systems.push_back({system->name(), {}, {}});
    }
  }

  void shuffle_repeats() {
    repeats_ = deal_repeats(train_, target_, test_, options_);
    for (std::size_t r = 0; r < repeats_.size(); ++r) {
      repeats_[r].rows = shuffled_rows(train_, std::move(repeats_[r].rows),
                                       options_.tuning.base.seed + r + 1);
    }
    result_.tested = count_tested(repeats_, tested().num_examples());
  }

  void choose_sizes() {
    std::size_t all = repeats_[0].rows.size();
    for (const Repeat& repeat : repeats_) all = std::min(all, repeat.rows.size());
    sizes_ = options_.sizes.empty() ? halved_sizes(all) : options_.sizes;
    std::sort(sizes_.begin(), sizes_.end());
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    if (sizes_.front() == 0 || sizes_.back() > all) {
      throw UsageError(
          fmt::format("no sample of {} rows can be taken: '{}' has {} to train "
                      "on{}",
                      sizes_.front() == 0 ? 0 : sizes_.back(),
                      train_.domains().name(target_), all,
                      test_ ? "" : " beside the fold that is held out"),
          fmt::format("give --sizes numbers from 1 to {}", all));
    }
    if (sizes_.back() < all) sizes_.push_back(all);
  }

  // Returns the target rows that repeat r uses for size s, and all source rows.
  Dataset sample(std::size_t r, std::size_t s, std::size_t& examples) const {
    const std::vector<std::size_t>& shuffled = repeats_[r].rows;
    examples =
        s + 1 == sizes_.size() ? shuffled.size() : sample_size(train_, shuffled, sizes_[s]);
    std::vector<bool> chosen(train_.num_examples());
    for (std::size_t i = 0; i < examples; ++i) chosen[shuffled[i]] = true;
    std::vector<std::size_t> rows;
    for (std::size_t n = 0; n < train_.num_examples(); ++n) {
      if (train_.domain[n] != target_ || chosen[n]) rows.push_back(n);
    }
    Dataset sampled = select_rows(train_, rows);
    sampled.unlabelled =
        unlabelled_without(train_.unlabelled, tested(), repeats_[r].held_out);
    return sampled;
  }

  void tune_pools() {
    for (std::size_t r = 0; r < repeats_.size(); ++r) {
      if (tuned_.contains(repeats_[r].pool)) continue;
      std::size_t examples = 0;
      const Dataset data = sample(r, sizes_.size() - 1, examples);
      TuneOptions tuning = options_.tuning;
      const std::vector<std::string>& fixed = options_of_one_size();
      tuning.fixed.insert(tuning.fixed.end(), fixed.begin(), fixed.end());
      tuning.on_progress = options_.on_progress;
      const Tuner tuner(data, target_, tuning, source_fits_, exec_);
      std::vector<Options>& options = tuned_[repeats_[r].pool];
      for (const System* system : systems_) options.push_back(tune_one(tuner, *system));
    }
  }

  // A system that cannot run is reported when it is fitted, not here.
  Options tune_one(const Tuner& tuner, const System& system) const {
    try {
      return tuner.tune(system).options;
    } catch (const UsageError&) {
      return options_.tuning.base;
    }
  }

  void run_size(std::size_t s, const std::vector<std::size_t>& systems) {
    // With all rows and a fixed test set, every repeat gives the same result.
    const bool once = test_ && s + 1 == sizes_.size();
    const std::size_t repeats = once ? 1 : repeats_.size();
    std::vector<std::vector<CurveScores>> scores(systems_.size(),
                                                 std::vector<CurveScores>(repeats));
    std::vector<std::size_t> examples(repeats);
    const bool beside = side_by_side(train_, exec_);
    const auto work = [&](std::size_t r) {
      exec_.throw_if_stopped();
      const Execution one(1);
      const Dataset data = sample(r, s, examples[r]);
      for (const std::size_t i : systems) {
        scores[i][r] = attempt(i, r, data, beside ? one : exec_);
        scores[i][r].examples = static_cast<double>(examples[r]);
        count_step(repeats * systems.size(), s);
      }
    };
    if (beside) {
      exec_.for_each_chunk(repeats, work);
    } else {
      for (std::size_t r = 0; r < repeats; ++r) work(r);
    }
    steps_ = 0;
    for (const std::size_t i : systems) add_point(i, scores[i]);
  }

  CurveScores attempt(std::size_t i, std::size_t r, const Dataset& data,
                      const Execution& exec) {
    try {
      return train_and_test(i, r, data, exec);
    } catch (const UsageError& error) {
      const std::lock_guard lock(mutex_);
      result_.systems[i].left_out = error.headline();
      return {};
    }
  }

  CurveScores train_and_test(std::size_t i, std::size_t r, const Dataset& data,
                             const Execution& exec) {
    Options options = options_.tuning.base;
    if (options_.when_tuned == CurveTuning::once) {
      options = tuned_.at(repeats_[r].pool)[i];
    } else if (options_.when_tuned == CurveTuning::each) {
      options =
          tune_one(Tuner(data, target_, options_.tuning, source_fits_, exec), *systems_[i]);
    }
    const auto predictor = systems_[i]->fit(
        data, target_, options,
        {.exec = exec,
         .on_progress = [this](const Progress&) { exec_.throw_if_stopped(); },
         .source_fits = source_fits_});
    const Predictions predictions =
        predict_rows(*predictor, tested(), repeats_[r].held_out, target_, exec);
    const Evaluation evaluation =
        evaluate_rows(tested(), repeats_[r].held_out, train_.num_labels(), predictions,
                      options_.tuning.base.seed);
    return {0, evaluation.accuracy, evaluation.f1, evaluation.log_loss};
  }

  void add_point(std::size_t i, const std::vector<CurveScores>& scores) {
    SystemCurve& curve = result_.systems[i];
    if (curve.left_out.empty()) curve.points.push_back(point_of(scores));
  }

  // Whether the currently best system gained less than options_.stop since the last size.
  bool flat() const {
    const SystemCurve* best = nullptr;
    for (const SystemCurve& curve : result_.systems) {
      if (!curve.left_out.empty()) continue;
      if (!best || curve.points.back().accuracy.mean > best->points.back().accuracy.mean) {
        best = &curve;
      }
    }
    if (!best) return false;
    const std::size_t last = best->points.size() - 1;
    return best->points[last].accuracy.mean - best->points[last - 1].accuracy.mean <
           *options_.stop;
  }

  void count_step(std::size_t steps, std::size_t s) {
    if (!options_.on_progress) return;
    const std::lock_guard lock(mutex_);
    ++steps_;
    options_.on_progress({fmt::format("{} rows", sizes_[s]),
                          static_cast<double>(steps_) / static_cast<double>(steps)});
  }

  const Dataset& train_;
  std::uint32_t target_;
  const Dataset* test_;
  const CurveOptions& options_;
  const Execution& exec_;
  std::shared_ptr<SourceFits> source_fits_;
  std::vector<const System*> systems_;
  std::size_t reference_ = 0;  // index of onlyi in systems_
  std::vector<Repeat> repeats_;
  std::vector<std::size_t> sizes_;
  std::map<std::size_t, std::vector<Options>> tuned_;  // by pool: [systems]
  std::mutex mutex_;
  std::size_t steps_ = 0;
  LearningCurves result_;
};

}  // namespace

LearningCurves learning_curves(const Dataset& train, std::uint32_t target,
                               const Dataset* test, const CurveOptions& options,
                               const Execution& exec) {
  return CurveRunner(train, target, test, options, exec).run();
}

}  // namespace megadapt
