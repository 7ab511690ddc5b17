#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "evaluation/curves/curve_fits.hpp"
#include "evaluation/nested_samples.hpp"
#include "evaluation/verdict.hpp"
#include "megadapt/comparison.hpp"
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
        systems_(chosen_systems(options)),
        fits_(train, target, test, options, systems_, exec) {
    for (const System* system : systems_) {
      result_.systems.push_back({system->name(), {}, {}});
    }
    shuffle_repeats();
    choose_sizes();
  }

  LearningCurves run() {
    if (options_.when_tuned == CurveTuning::once) tune_pools();
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      const bool last = s + 1 == sizes_.size();
      std::vector<std::size_t> systems(systems_.size());
      std::iota(systems.begin(), systems.end(), std::size_t{0});
      if (result_.stopped) systems = {reference()};
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
  // Returns the systems that the options name, and onlyi.
  static std::vector<const System*> chosen_systems(const CurveOptions& options) {
    const std::vector<std::string>& names = options.systems;
    for (const std::string& name : names) find_system(name);
    std::vector<const System*> chosen;
    for (const System* system : systems()) {
      const bool asked = names.empty() ? system->traits().in_curves
                                       : std::find(names.begin(), names.end(),
                                                   system->name()) != names.end();
      if (asked || system == &only_target_system()) chosen.push_back(system);
    }
    return chosen;
  }

  // Returns the index of onlyi.
  std::size_t reference() const {
    return static_cast<std::size_t>(std::ranges::find(systems_, &only_target_system()) -
                                    systems_.begin());
  }

  void shuffle_repeats() {
    repeats_ = deal_repeats(train_, target_, test_, options_);
    for (std::size_t r = 0; r < repeats_.size(); ++r) {
      repeats_[r].rows = shuffled_rows(train_, std::move(repeats_[r].rows),
                                       options_.tuning.base.seed + r + 1);
    }
    result_.tested = count_tested(repeats_, fits_.tested().num_examples());
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

  // Returns the target rows that repeat r uses for size s.
  std::span<const std::size_t> target_rows(std::size_t r, std::size_t s) const {
    const std::vector<std::size_t>& shuffled = repeats_[r].rows;
    const bool all = s + 1 == sizes_.size();
    return std::span(shuffled).first(all ? shuffled.size()
                                         : sample_size(train_, shuffled, sizes_[s]));
  }

  void tune_pools() {
    for (std::size_t r = 0; r < repeats_.size(); ++r) {
      fits_.tune(repeats_[r], target_rows(r, sizes_.size() - 1));
    }
  }

  void run_size(std::size_t s, const std::vector<std::size_t>& systems) {
    // With all rows and a fixed test set, every repeat gives the same result.
    const bool once = test_ && s + 1 == sizes_.size();
    const std::size_t repeats = once ? 1 : repeats_.size();
    std::vector<std::vector<CurveScores>> scores(systems_.size(),
                                                 std::vector<CurveScores>(repeats));
    const bool beside = side_by_side(train_, exec_);
    const auto work = [&](std::size_t r) {
      exec_.throw_if_stopped();
      const Execution one(1);
      const auto own = target_rows(r, s);
      const Dataset data = fits_.sample(repeats_[r], own);
      for (const std::size_t i : systems) {
        scores[i][r] = attempt(i, r, data, beside ? one : exec_);
        scores[i][r].examples = static_cast<double>(own.size());
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
      return fits_.test(*fits_.fit(i, repeats_[r], data, exec), repeats_[r], exec);
    } catch (const UsageError& error) {
      const std::lock_guard lock(mutex_);
      result_.systems[i].left_out = error.headline();
      return {};
    }
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
  std::vector<const System*> systems_;
  CurveFits fits_;
  std::vector<Repeat> repeats_;
  std::vector<std::size_t> sizes_;
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
