#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>

#include "dataset/select_rows.hpp"
#include "evaluation/nested_samples.hpp"
#include "evaluation/score_rows.hpp"
#include "evaluation/tuner.hpp"
#include "evaluation/verdict.hpp"
#include "megadapt/comparison.hpp"
#include "systems/fit_memory.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

// Options whose best value depends on the number of target rows. They are not tuned once
// for all sizes; each sample finds its own value.
const std::vector<std::string> kOptionsOfOneSize = {"out-weight", "interpolation"};

struct Scores {
  double accuracy = 0;
  double f1 = 0;
  double log_loss = 0;
};

/// One shuffle of the target rows, and the held-out rows that its samples are tested on.
struct Repeat {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> held_out;
  std::size_t pool = 0;  ///< repeats with the same pool draw from the same rows
};

// Mean and standard deviation; the band is clipped to the range of the score.
Band band_of(const std::vector<double>& values, double largest) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
  return {mean, std::max(0.0, mean - deviation), std::min(largest, mean + deviation)};
}

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
    deal_repeats();
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

  void deal_repeats() {
    if (options_.repeats < 1) {
      throw UsageError(fmt::format("{} repeats are too few", options_.repeats),
                       "use 1 repeat or more");
    }
    const std::uint64_t seed = options_.tuning.base.seed;
    std::vector<Split> splits;
    if (!test_) splits = target_folds(train_, target_, options_.folds, seed);
    for (int r = 0; r < options_.repeats; ++r) {
      Repeat repeat;
      if (test_) {
        repeat.rows = train_.rows_of(target_);
        repeat.held_out.resize(test_->num_examples());
        std::iota(repeat.held_out.begin(), repeat.held_out.end(), std::size_t{0});
      } else {
        repeat.pool = static_cast<std::size_t>(r) % splits.size();
        const Split& split = splits[repeat.pool];
        repeat.held_out = split.held_out;
        for (const std::size_t n : split.train) {
          if (train_.domain[n] == target_) repeat.rows.push_back(n);
        }
      }
      if (repeat.rows.empty()) {
        throw UsageError(fmt::format("the target domain '{}' has no rows to train on",
                                     train_.domains().name(target_)),
                         "give it labelled rows");
      }
      repeat.rows = shuffled_rows(train_, std::move(repeat.rows),
                                  seed + static_cast<std::uint64_t>(r) + 1);
      repeats_.push_back(std::move(repeat));
    }
    std::vector<bool> judged(tested().num_examples());
    for (const Repeat& repeat : repeats_) {
      for (const std::size_t n : repeat.held_out) judged[n] = true;
    }
    result_.tested =
        static_cast<std::size_t>(std::count(judged.begin(), judged.end(), true));
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
    return select_rows(train_, rows);
  }

  void tune_pools() {
    for (std::size_t r = 0; r < repeats_.size(); ++r) {
      if (tuned_.contains(repeats_[r].pool)) continue;
      std::size_t examples = 0;
      const Dataset data = sample(r, sizes_.size() - 1, examples);
      TuneOptions tuning = options_.tuning;
      tuning.fixed.insert(tuning.fixed.end(), kOptionsOfOneSize.begin(),
                          kOptionsOfOneSize.end());
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
    std::vector<std::vector<Scores>> scores(systems_.size(), std::vector<Scores>(repeats));
    std::vector<std::size_t> examples(repeats);
    const bool beside = side_by_side(train_, exec_);
    const auto work = [&](std::size_t r) {
      exec_.throw_if_stopped();
      const Execution one(1);
      const Dataset data = sample(r, s, examples[r]);
      for (const std::size_t i : systems) {
        scores[i][r] = attempt(i, r, data, beside ? one : exec_);
        count_step(repeats * systems.size(), s);
      }
    };
    if (beside) {
      exec_.for_each_chunk(repeats, work);
    } else {
      for (std::size_t r = 0; r < repeats; ++r) work(r);
    }
    steps_ = 0;
    for (const std::size_t i : systems) add_point(i, scores[i], examples);
  }

  Scores attempt(std::size_t i, std::size_t r, const Dataset& data, const Execution& exec) {
    try {
      return train_and_test(i, r, data, exec);
    } catch (const UsageError& error) {
      const std::lock_guard lock(mutex_);
      result_.systems[i].left_out = error.headline();
      return {};
    }
  }

  Scores train_and_test(std::size_t i, std::size_t r, const Dataset& data,
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
    return {evaluation.accuracy, evaluation.f1, evaluation.log_loss};
  }

  void add_point(std::size_t i, const std::vector<Scores>& scores,
                 const std::vector<std::size_t>& examples) {
    SystemCurve& curve = result_.systems[i];
    if (!curve.left_out.empty()) return;
    const auto band = [&](double Scores::*part, double largest) {
      std::vector<double> values;
      for (const Scores& score : scores) values.push_back(score.*part);
      return band_of(values, largest);
    };
    const double total = std::accumulate(examples.begin(), examples.end(), 0.0);
    curve.points.push_back({total / static_cast<double>(examples.size()),
                            band(&Scores::accuracy, 1), band(&Scores::f1, 1),
                            band(&Scores::log_loss, std::numeric_limits<double>::max())});
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
