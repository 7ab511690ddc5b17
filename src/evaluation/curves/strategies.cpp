// Simulates the labelling of rows in two orders: at random, and as `megadapt next` chooses.
#include "megadapt/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/random.hpp"
#include "dataset/select_rows.hpp"
#include "evaluation/curves/curve_fits.hpp"
#include "evaluation/curves/labels_needed.hpp"
#include "evaluation/verdict.hpp"
#include "selection/judge_sentence.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kMostSizes = 8;
constexpr double kSmallestSize = 5;

/// What is labelled at once: a row, or the rows of a sentence.
using Unit = std::vector<std::size_t>;

std::vector<Unit> units_of(const Dataset& data, const std::vector<std::size_t>& rows) {
  std::vector<Unit> units;
  if (!data.is_sequences()) {
    for (const std::size_t n : rows) units.push_back({n});
    return units;
  }
  for (const auto& [first, last] : sentence_pieces(data, rows)) {
    units.emplace_back(rows.begin() + static_cast<std::ptrdiff_t>(first),
                       rows.begin() + static_cast<std::ptrdiff_t>(last));
  }
  return units;
}

void shuffle(std::vector<Unit>& units, std::uint64_t seed) {
  Random random(seed);
  for (auto i = static_cast<std::uint32_t>(units.size()); i > 1; --i) {
    std::swap(units[i - 1], units[random.below(i)]);
  }
}

/// Returns sizes in ascending order. The largest is half of the rows, and each size is the
/// next larger one divided by the square root of 2.
std::vector<std::size_t> default_sizes(std::size_t all) {
  std::vector<std::size_t> sizes;
  double size = std::max(1.0, static_cast<double>(all) / 2);
  do {
    sizes.push_back(static_cast<std::size_t>(size + 0.5));
    size /= std::sqrt(2);
  } while (sizes.size() < kMostSizes && size >= kSmallestSize);
  std::ranges::reverse(sizes);
  return sizes;
}

/// Scores units by a model that has not seen their labels, and chooses some.
class UnitChooser {
 public:
  UnitChooser(const Dataset& data, const Predictor& predictor, std::uint32_t target)
      : data_(data),
        predictor_(predictor),
        target_(target),
        labels_(labels_of(data, predictor)),
        judge_(predictor, predictor.parts(names_of(data, target, labels_)), target),
        transitions_(labels_, data.schema->scheme) {}

  /// Moves the chosen units to the front of [first, end).
  void choose(std::vector<Unit>& units, std::size_t first, std::size_t labels) {
    FeatureSets features;
    std::vector<double> score;
    std::vector<std::size_t> cost;
    for (std::size_t u = first; u < units.size(); ++u) {
      score.push_back(score_of(units[u]));
      cost.push_back(units[u].size());
      features.add(hashes_of(units[u]));
    }
    std::vector<bool> taken(units.size());
    std::vector<Unit> ordered;
    for (const Choice& choice : choose_rows(score, features, labels, cost)) {
      taken[first + choice.row] = true;
      ordered.push_back(units[first + choice.row]);
    }
    for (std::size_t u = first; u < units.size(); ++u) {
      if (!taken[u]) ordered.push_back(std::move(units[u]));
    }
    std::ranges::move(ordered, units.begin() + static_cast<std::ptrdiff_t>(first));
  }

 private:
  static std::vector<std::string> labels_of(const Dataset& data,
                                            const Predictor& predictor) {
    std::vector<std::string> labels = data.label_names();
    labels.resize(predictor.num_labels());
    return labels;
  }
  static PartNames names_of(const Dataset& data, std::uint32_t target,
                            std::span<const std::string> labels) {
    PartNames names{.labels = labels};
    for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
      names.domains.emplace_back(data.domains().name(d));
      if (d != target && !data.rows_of(d).empty()) {
        names.sources.push_back(names.domains.back());
      }
    }
    return names;
  }

  double score_of(const Unit& unit) {
    if (!data_.is_sequences()) return judge_(data_.rows[unit[0]]).score;
    const DatasetSentence sentence(predictor_, data_, unit.front(), unit.back() + 1,
                                   target_);
    return judge_sentence(sentence, transitions_, judge_).score;
  }

  // Features of the gold previous tag are left out: they would reveal the hidden labels.
  std::vector<std::uint32_t> hashes_of(const Unit& unit) const {
    std::vector<std::uint32_t> hashes;
    for (const std::size_t n : unit) {
      const RowView row = data_.rows[n];
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        const std::uint32_t f = row.features[i];
        if (f == data_.bias() || data_.is_tag_feature(f)) continue;
        hashes.push_back(FeatureSets::hash(f, row.values.empty() ? 1 : row.values[i]));
      }
    }
    return hashes;
  }

  const Dataset& data_;
  const Predictor& predictor_;
  std::uint32_t target_;
  std::vector<std::string> labels_;
  RowJudge judge_;
  TagTransitions transitions_;
};

class StrategyRunner {
 public:
  StrategyRunner(const Dataset& train, std::uint32_t target, const Dataset* test,
                 const CurveOptions& options, const Execution& exec)
      : train_(train),
        target_(target),
        test_(test),
        options_(options),
        exec_(exec),
        systems_(chosen_systems(options)),
        fits_(train, target, test, options, systems_, exec),
        repeats_(deal_repeats(train, target, test, options)) {
    choose_sizes();
  }

  Strategies run() {
    if (options_.when_tuned == CurveTuning::once) {
      for (const Repeat& repeat : repeats_) fits_.tune(repeat, repeat.rows);
    }
    Strategies result;
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      result.systems.push_back(run_system(i));
    }
    result.sizes = sizes_;
    result.repeats = options_.repeats;
    result.tested = count_tested(repeats_, fits_.tested().num_examples());
    conclude_strategies(result);
    return result;
  }

 private:
  /// The scores of one repeat at each size, in both orders.
  struct Simulation {
    std::vector<CurveScores> random, next;
  };

  static std::vector<const System*> chosen_systems(const CurveOptions& options) {
    std::vector<std::string> names = options.systems;
    if (names.empty()) names = {pool_system().name()};
    std::vector<const System*> chosen;
    for (const std::string& name : names) chosen.push_back(&find_system(name));
    return chosen;
  }

  void choose_sizes() {
    std::size_t all = repeats_[0].rows.size();
    for (const Repeat& repeat : repeats_) all = std::min(all, repeat.rows.size());
    sizes_ = options_.sizes.empty() ? default_sizes(all) : options_.sizes;
    std::ranges::sort(sizes_);
    sizes_.erase(std::unique(sizes_.begin(), sizes_.end()), sizes_.end());
    if (sizes_.front() > 0 && sizes_.back() <= all && sizes_.size() >= 2) return;
    throw UsageError(
        fmt::format("labelling cannot be simulated with {}: '{}' has {} rows to label{}",
                    options_.sizes.empty() ? "so few rows" : "these sizes",
                    train_.domains().name(target_), all,
                    test_ ? "" : " beside the fold that is held out"),
        fmt::format("give --sizes at least two numbers from 1 to {}", all));
  }

  StrategyCurve run_system(std::size_t i) {
    StrategyCurve curve{.system = systems_[i]->name()};
    std::vector<Simulation> all(repeats_.size());
    const bool beside = side_by_side(train_, exec_);
    steps_ = 0;
    const auto work = [&](std::size_t r) {
      const Execution one(1);
      const Execution& exec = beside ? one : exec_;
      try {
        all[r].random = simulate(i, r, false, exec);
        all[r].next = simulate(i, r, true, exec);
      } catch (const UsageError& error) {
        const std::lock_guard lock(mutex_);
        curve.left_out = error.headline();
      }
    };
    if (beside) {
      exec_.for_each_chunk(repeats_.size(), work);
    } else {
      for (std::size_t r = 0; r < repeats_.size(); ++r) work(r);
    }
    if (curve.left_out.empty()) summarise(all, curve);
    return curve;
  }

  void summarise(const std::vector<Simulation>& all, StrategyCurve& curve) const {
    std::vector<LabelledSteps> random(all.size()), next(all.size());
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      std::vector<CurveScores> at_random, at_next;
      for (std::size_t r = 0; r < all.size(); ++r) {
        at_random.push_back(all[r].random[s]);
        at_next.push_back(all[r].next[s]);
        random[r].labels.push_back(all[r].random[s].examples);
        random[r].accuracy.push_back(all[r].random[s].accuracy);
        next[r].labels.push_back(all[r].next[s].examples);
        next[r].accuracy.push_back(all[r].next[s].accuracy);
      }
      curve.random.push_back(point_of(at_random));
      curve.next.push_back(point_of(at_next));
    }
    const LabelsNeeded needed = labels_needed(random, next, options_.tuning.base.seed);
    curve.labels = curve.random.back().examples;
    curve.accuracy = needed.accuracy;
    curve.share = needed.share;
    curve.interval = needed.interval;
  }

  // Labels units until a size is reached, fits and tests, and goes on to the next size.
  std::vector<CurveScores> simulate(std::size_t i, std::size_t r, bool by_score,
                                    const Execution& exec) {
    std::vector<Unit> units = units_of(train_, repeats_[r].rows);
    shuffle(units, options_.tuning.base.seed + r + 1);
    std::vector<std::size_t> labelled;
    std::vector<CurveScores> scores;
    PredictorPtr predictor;
    std::size_t used = 0;
    for (const std::size_t size : sizes_) {
      exec_.throw_if_stopped();
      if (by_score && predictor && size > labelled.size()) {
        UnitChooser(train_, *predictor, target_)
            .choose(units, used, size - labelled.size());
      }
      for (; used < units.size() && labelled.size() < size; ++used) {
        labelled.insert(labelled.end(), units[used].begin(), units[used].end());
      }
      const Dataset data = fits_.sample(repeats_[r], labelled);
      predictor = fits_.fit(i, repeats_[r], data, exec);
      scores.push_back(fits_.test(*predictor, repeats_[r], exec));
      scores.back().examples = static_cast<double>(labelled.size());
      count_step();
    }
    return scores;
  }

  void count_step() {
    if (!options_.on_progress) return;
    const std::lock_guard lock(mutex_);
    ++steps_;
    const std::size_t all = 2 * sizes_.size() * repeats_.size();
    options_.on_progress(
        {"labelling", static_cast<double>(steps_) / static_cast<double>(all)});
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
};

}  // namespace

Strategies compare_strategies(const Dataset& train, std::uint32_t target,
                              const Dataset* test, const CurveOptions& options,
                              const Execution& exec) {
  return StrategyRunner(train, target, test, options, exec).run();
}

}  // namespace megadapt
