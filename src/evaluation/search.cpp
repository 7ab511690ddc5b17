// The search for the settings of one system: one option at a time.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "dataset/select_rows.hpp"
#include "evaluation/score_rows.hpp"
#include "evaluation/tuner.hpp"
#include "systems/fit_memory.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr double kLeastNumber = 1e-6;
constexpr double kLargestNumber = 1e6;
constexpr int kMostSteps = 8;
// The search for a number continues in a direction while each step gains this share of the
// score. If a part of the model gets a weight near 0, its numbers hardly affect held-out
// rows; without this limit they would drift to values that hurt the final fit.
constexpr double kWorthAStep = 0.002;
// A longer fit makes every later trial longer too, so it must gain this much at first. At
// the end it is tried again and any gain will do.
constexpr double kWorthLonger = 0.05;
// With many options to tune, a candidate must first show itself on two splits. It is given
// up if its log loss there is worse than the best one's by this share.
constexpr std::size_t kFewOptions = 3;
constexpr std::size_t kFirstSplits = 2;
constexpr double kHopeless = 0.02;

double to_number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Rounds to two significant digits.
std::string to_text(double value) {
  const double bounded = std::clamp(value, kLeastNumber, kLargestNumber);
  return print_number(to_number(fmt::format("{:.2g}", bounded)));
}

/// An option that the search tunes.
struct Knob {
  std::string name;
  HowTuned how;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Whether a setting takes the value of another option.
bool is_follower(const std::string& value) { return value.starts_with('='); }

}  // namespace

/// The search for the settings of one system.
class Search {
 public:
  Search(const Tuner& tuner, const System& system) : tuner_(tuner), system_(system) {
    for (auto& [name, start] : system.tuning_start(tuner.data_, tuner.target_)) {
      const auto& fixed = tuner.options_.fixed;
      if (std::find(fixed.begin(), fixed.end(), name) != fixed.end()) continue;
      knobs_.push_back({name, option_table().find(name).tuned});
      best_settings_.emplace_back(name, start);
    }
    make_warm_starts();
  }
  /// Scores the given settings and searches nothing.
  Search(const Tuner& tuner, const System& system, Settings settings)
      : tuner_(tuner), system_(system), best_settings_(std::move(settings)) {
    make_warm_starts();
  }

  Tuned run() {
    if (!tuner_.splits_.empty()) {
      consider({best_settings_});
      for (std::size_t k = 0; k < knobs_.size(); ++k)
        turn(k, knobs_[k].how.factor, kMostSteps);
      if (turn_choices_again()) turn_numbers(kMostSteps, false);
      turn_numbers(1, true);
    }
    return result();
  }

 private:
  void make_warm_starts() {
    for (std::size_t s = 0; s < tuner_.splits_.size(); ++s) {
      warm_.push_back(std::make_shared<WarmStarts>());
    }
  }

  /// Retries the choices, which were made before the numbers were tuned. Returns whether
  /// one changed.
  bool turn_choices_again() {
    const Settings before = best_settings_;
    again_ = true;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
      if (knobs_[k].how.factor == 0) turn(k, 0, 1);
    }
    return best_settings_ != before;
  }

  void turn_numbers(int steps, bool finely) {
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
      const double step = knobs_[k].how.factor;
      if (step > 0) turn(k, finely ? std::sqrt(step) : step, steps);
    }
  }

  bool is_passed(std::size_t k) const { return knobs_[k].name == system_.traits().passed; }

  /// Returns the settings without those that follow another option, which is what they do
  /// if they are not set.
  static Settings resolved(Settings settings) {
    std::erase_if(settings,
                  [](const auto& setting) { return is_follower(setting.second); });
    return settings;
  }

  /// Returns the number of knob k, or of the option that it follows.
  double number_of(std::size_t k) const {
    const std::string& value = best_settings_[k].second;
    if (!is_follower(value)) return to_number(value);
    const std::string followed = value.substr(1);
    for (const auto& [name, number] : best_settings_) {
      if (name == followed) return to_number(number);
    }
    return to_number(option_table().find(followed).field.print(tuner_.options_.base)[0]);
  }

  /// Tries other values of knob k around the best setting. Numbers continue in a direction
  /// while that is worth it, for up to `steps` values.
  void turn(std::size_t k, double step, int steps) {
    if (step == 0) {
      std::vector<Settings> others;
      for (const std::string& choice : knobs_[k].how.choices)
        others.push_back(with(k, choice));
      return consider(others, is_passed(k) && !again_ ? kWorthLonger : 0);
    }
    const double start = number_of(k);
    consider({with(k, to_text(start * step)), with(k, to_text(start / step))});
    const double reached = number_of(k);
    if (reached == start) return;
    const double onward = reached > start ? step : 1 / step;
    for (int i = 1; i < steps; ++i) {
      const double before = number_of(k);
      consider({with(k, to_text(before * onward))}, kWorthAStep);
      if (number_of(k) == before) return;
    }
  }

  Settings with(std::size_t k, const std::string& value) const {
    Settings settings = best_settings_;
    settings[k].second = value;
    return settings;
  }

  /// Settings that differ only in the option that a fit passes on its way: one fit scores
  /// them all.
  struct Run {
    Settings settings;                // of the first of them
    std::vector<std::size_t> places;  // among the candidates
    std::vector<std::string> values;  // of the passed option
  };

  /// What the fits with some candidates gave.
  struct Fits {
    Fits(std::size_t candidates, std::size_t splits)
        : predicted(candidates, std::vector<Predictions>(splits)), seconds(candidates) {}
    std::vector<std::vector<Predictions>> predicted;  // [candidates][splits]
    std::vector<double> seconds;                      // [candidates]
  };

  bool is_tried(const Settings& settings) const {
    const Settings own = resolved(settings);
    return std::find(given_up_.begin(), given_up_.end(), own) != given_up_.end() ||
           std::any_of(tried_.begin(), tried_.end(),
                       [&](const Trial& trial) { return trial.settings == own; });
  }

  /// Returns the candidates that are new, and those that their fits pass on the way.
  std::vector<Settings> with_passed(const std::vector<Settings>& candidates) const {
    std::vector<Settings> all;
    const auto add = [&](const Settings& settings) {
      const bool known = std::find(all.begin(), all.end(), settings) != all.end();
      if (!known && !is_tried(settings)) all.push_back(settings);
    };
    for (const Settings& candidate : candidates) {
      add(candidate);
      if (is_tried(candidate)) continue;  // no fit passes anything
      for (std::size_t k = 0; k < knobs_.size(); ++k) {
        if (!is_passed(k)) continue;
        for (const std::string& value : knobs_[k].how.choices) {
          if (to_number(value) >= to_number(candidate[k].second)) continue;
          Settings earlier = candidate;
          earlier[k].second = value;
          add(earlier);
        }
      }
    }
    return all;
  }

  std::vector<Run> runs_of(const std::vector<Settings>& candidates) const {
    std::vector<Run> runs;
    std::vector<Settings> common;  // [runs]; without the passed option
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      Settings rest = candidates[c];
      std::string value;
      for (std::size_t k = 0; k < knobs_.size(); ++k) {
        if (is_passed(k)) std::swap(value, rest[k].second);
      }
      const auto at = std::find(common.begin(), common.end(), rest) - common.begin();
      if (static_cast<std::size_t>(at) == common.size()) {
        common.push_back(rest);
        runs.push_back({.settings = candidates[c], .places = {}, .values = {}});
      }
      runs[static_cast<std::size_t>(at)].places.push_back(c);
      runs[static_cast<std::size_t>(at)].values.push_back(value);
    }
    return runs;
  }

  /// Fits every new setting on every split. The best becomes the current setting if it
  /// gains more than `least_gain` of the score.
  void consider(const std::vector<Settings>& asked, double least_gain = 0) {
    std::vector<Settings> candidates = with_passed(asked);
    if (candidates.empty()) return;
    std::vector<Run> runs = runs_of(candidates);
    const std::size_t splits = tuner_.splits_.size();
    Fits fits(candidates.size(), splits);
    std::size_t from = 0;
    if (knobs_.size() > kFewOptions && splits > kFirstSplits && !best_.label.empty()) {
      fit_runs(runs, 0, kFirstSplits, fits);
      std::erase_if(runs, [&](const Run& run) { return is_hopeless(run, fits); });
      from = kFirstSplits;
    }
    fit_runs(runs, from, splits, fits);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (fits.predicted[c].back().label.empty()) {
        given_up_.push_back(resolved(candidates[c]));
        seconds_given_up_ += fits.seconds[c];
      } else {
        judge(std::move(candidates[c]), fits.predicted[c], fits.seconds[c], least_gain);
      }
    }
    if (tuner_.options_.on_progress) {
      tuner_.options_.on_progress({system_.name(), fraction()});
    }
  }

  /// Fits runs on the splits [from, to).
  void fit_runs(const std::vector<Run>& runs, std::size_t from, std::size_t to,
                Fits& fits) {
    const std::size_t splits = tuner_.splits_.size();
    std::vector<double> seconds(fits.seconds.size() * splits);  // [candidates][splits]
    run_splits(from, to, [&](std::size_t s, const Dataset& train, const Execution& exec) {
      for (const Run& run : runs) {
        const auto start = std::chrono::steady_clock::now();
        std::vector<Predictions> predicted = fit_and_predict(run, s, train, exec);
        const auto shared = static_cast<double>(run.places.size());
        for (std::size_t i = 0; i < run.places.size(); ++i) {
          fits.predicted[run.places[i]][s] = std::move(predicted[i]);
          seconds[run.places[i] * splits + s] = seconds_since(start) / shared;
        }
      }
    });
    if (tuner_.options_.ranks->size() > 1) exchange(runs, from, to, fits, seconds);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      fits.seconds[i / splits] += seconds[i];
    }
  }

  /// Returns whether all settings of a run are clearly worse than the best on the first
  /// splits.
  bool is_hopeless(const Run& run, const Fits& fits) const {
    std::size_t rows = 0;
    for (std::size_t s = 0; s < kFirstSplits; ++s) {
      rows += tuner_.splits_[s].held_out.size();
    }
    const double most = (1 + kHopeless) * log_loss(best_, 0, rows);
    return std::all_of(run.places.begin(), run.places.end(), [&](std::size_t place) {
      double sum = 0;
      std::size_t first = 0;
      for (std::size_t s = 0; s < kFirstSplits; ++s) {
        const std::size_t size = tuner_.splits_[s].held_out.size();
        sum += log_loss(fits.predicted[place][s], first, size);
        first += size;
      }
      return sum > most;
    });
  }

  /// Returns the sum of -log p(label) over held-out rows, of which `first` is the first. The
  /// predictions begin with that row.
  double log_loss(const Predictions& predicted, std::size_t first, std::size_t rows) const {
    const Dataset& data = tuner_.data_;
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t n = tuner_.rows_[first + i];
      const double p = predicted.probability[i * data.num_labels() + data.label[n]];
      sum -= static_cast<double>(data.weight[n]) * std::log(std::max(p, 1e-15));
    }
    return sum;
  }

  /// Folds are dealt to the ranks. Each fold has its own warm starts, as on one rank.
  bool is_ours(std::size_t split) const {
    const Communicator& ranks = *tuner_.options_.ranks;
    return split % static_cast<std::size_t>(ranks.size()) ==
           static_cast<std::size_t>(ranks.rank());
  }

  /// Collects the results of all ranks: each number is set on one rank and 0 on the others.
  void exchange(const std::vector<Run>& runs, std::size_t from, std::size_t to, Fits& fits,
                std::vector<double>& seconds) {
    Communicator& ranks = *tuner_.options_.ranks;
    ranks.sum(seconds);
    for (const Run& run : runs) {
      for (const std::size_t place : run.places) {
        for (std::size_t s = from; s < to; ++s) {
          Predictions& predicted = fits.predicted[place][s];
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
  }

  template <class Body>
  void run_splits(std::size_t from, std::size_t to, Body&& body) {
    const bool beside = side_by_side(tuner_.data_, tuner_.exec_);
    const Execution one(1);
    const auto work = [&](std::size_t s) {
      if (!is_ours(s)) return;
      tuner_.exec_.throw_if_stopped();
      const Dataset train = select_rows(tuner_.data_, tuner_.splits_[s].train);
      body(s, train, beside ? one : tuner_.exec_);
    };
    if (beside) {
      tuner_.exec_.for_each_chunk(to - from, [&](std::size_t i) { work(from + i); });
    } else {
      for (std::size_t s = from; s < to; ++s) work(s);
    }
  }

  /// Returns the predictions of each of a run's settings for the held-out rows.
  std::vector<Predictions> fit_and_predict(const Run& run, std::size_t s,
                                           const Dataset& train, const Execution& exec) {
    Options options = tuner_.options_.base;
    options.calibration.reset();  // found afterwards
    system_.apply(resolved(run.settings), options);
    FitContext context = tuner_.context(exec);
    context.warm_starts = warm_[s];
    std::vector<PredictorPtr> fitted;
    if (run.values.size() > 1) {
      fitted = system_.fit_each(train, tuner_.target_, options, system_.traits().passed,
                                run.values, context);
    } else {
      fitted.push_back(system_.fit(train, tuner_.target_, options, context));
    }
    std::vector<Predictions> predicted;
    for (const PredictorPtr& predictor : fitted) {
      predicted.push_back(predict_rows(*predictor, tuner_.data_, tuner_.splits_[s].held_out,
                                       tuner_.target_, exec));
    }
    return predicted;
  }

  void judge(Settings settings, std::vector<Predictions>& of_splits, double seconds,
             double least_gain) {
    Predictions pooled = std::move(of_splits[0]);
    for (std::size_t s = 1; s < of_splits.size(); ++s) {
      pooled.label.insert(pooled.label.end(), of_splits[s].label.begin(),
                          of_splits[s].label.end());
      pooled.probability.insert(pooled.probability.end(), of_splits[s].probability.begin(),
                                of_splits[s].probability.end());
    }
    const Dataset& data = tuner_.data_;
    const Criterion criterion = tuner_.options_.criterion;
    const Evaluation evaluation = evaluate_rows(data, tuner_.rows_, data.num_labels(),
                                                pooled, tuner_.options_.base.seed);
    tried_.push_back({.settings = resolved(settings),
                      .score = score(evaluation, criterion),
                      .log_loss = evaluation.log_loss,
                      .accuracy = evaluation.accuracy,
                      .f1 = evaluation.f1,
                      .seconds = seconds});
    const double gain = std::abs(tried_.back().score - best_score_);
    if (best_.label.empty() || (better(tried_.back().score, best_score_, criterion) &&
                                gain >= least_gain * best_score_)) {
      best_settings_ = std::move(settings);
      best_score_ = tried_.back().score;
      best_ = std::move(pooled);
    }
  }

  // The number of trials so far as a share of the expected number.
  double fraction() const {
    double expected = 1;
    for (const Knob& knob : knobs_) {
      expected +=
          knob.how.factor > 0 ? 5.0 : static_cast<double>(knob.how.choices.size() - 1);
    }
    const auto done = static_cast<double>(tried_.size() + given_up_.size());
    return std::min(0.99, done / expected);
  }

  Tuned result() {
    Tuned tuned;
    tuned.system = system_.name();
    tuned.settings = resolved(best_settings_);
    tuned.options = tuner_.options_.base;
    system_.apply(tuned.settings, tuned.options);
    tuned.seconds = seconds_given_up_;
    for (const Trial& trial : tried_) tuned.seconds += trial.seconds;
    tuned.tried = std::move(tried_);
    tuned.held_out = tuner_.rows_.size();
    tuned.duplicates = tuner_.duplicates_;
    tuned.rows = tuner_.rows_;
    const std::size_t Y = tuner_.data_.num_labels();
    for (std::size_t i = 0; i < best_.label.size(); ++i) {
      tuned.probability.push_back(
          best_.probability[i * Y + tuner_.data_.label[tuner_.rows_[i]]]);
    }
    tuner_.calibrate(std::move(best_.probability), tuned);
    return tuned;
  }

  const Tuner& tuner_;
  const System& system_;
  std::vector<Knob> knobs_;
  std::vector<std::shared_ptr<WarmStarts>> warm_;  // [splits]
  std::vector<Trial> tried_;
  std::vector<Settings> given_up_;  // resolved
  double seconds_given_up_ = 0;
  bool again_ = false;      // whether choices are tried for the second time
  Settings best_settings_;  // in the order of knobs_
  double best_score_ = 0;
  Predictions best_;  // for all held-out rows
};

Tuned search_settings(const Tuner& tuner, const System& system) {
  return Search(tuner, system).run();
}

Tuned score_settings(const Tuner& tuner, const System& system, Settings settings) {
  return Search(tuner, system, std::move(settings)).run();
}

}  // namespace megadapt
