// The search for the settings of one system: one option at a time.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "evaluation/scores/score_rows.hpp"
#include "evaluation/tuning/split_fits.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr double kLeastNumber = 1e-6;
constexpr double kLargestNumber = 1e6;
constexpr int kMostSteps = 8;
// A longer fit makes all later trials longer too, so it must gain this share of the score.
constexpr double kWorthLonger = 0.01;
// The logarithm of a number has a normal prior. Its mean is the start value, its standard
// deviation two steps: a value k steps away costs k^2 / 8 nats of the total held-out log
// loss. If a part of the model gets a weight near 0, its numbers hardly affect held-out
// rows; without the prior they would drift to values that hurt the final fit.
constexpr double kNatsPerStep = 0.125;

// After each split, a candidate is dropped if it is clearly worse than the best one: if the
// sum of the differences of the rows' log losses exceeds this many standard errors. With
// fewer than kFewestRows rows nothing is dropped.
constexpr double kClearly = 1.5;
constexpr std::size_t kFewestRows = 100;
// If another score decides, a candidate is dropped only if its log loss is also worse by
// this share.
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
  std::string start;
};

// Whether a setting takes the value of another option.
bool is_follower(const std::string& value) { return value.starts_with('='); }

// Returns the settings without those that follow another option: such an option does so
// anyway if it is not set.
Settings resolved(Settings settings) {
  std::erase_if(settings, [](const auto& setting) { return is_follower(setting.second); });
  return settings;
}

}  // namespace

/// The search for the settings of one system.
class Search {
 public:
  Search(const Tuner& tuner, const System& system)
      : tuner_(tuner), system_(system), fits_(tuner, system) {
    for (auto& [name, start] : system.tuning_start(tuner.data_, tuner.target_)) {
      const auto& fixed = tuner.options_.fixed;
      if (std::find(fixed.begin(), fixed.end(), name) != fixed.end()) continue;
      knobs_.push_back({name, option_table().find(name).tuned, start});
      best_settings_.emplace_back(name, start);
    }
  }
  /// Scores the given settings and searches nothing.
  Search(const Tuner& tuner, const System& system, Settings settings)
      : tuner_(tuner),
        system_(system),
        fits_(tuner, system),
        best_settings_(std::move(settings)) {}

  Tuned run() {
    if (!tuner_.splits_.empty()) {
      const Settings rival = start_with(system_.traits().rival);
      consider({best_settings_, start_with(system_.traits().other_start)});
      turn_all();
      const Settings found = best_settings_;
      consider({rival});
      if (best_settings_ != found) turn_all();
    }
    return result();
  }

 private:
  void turn_all() {
    for (std::size_t k = 0; k < knobs_.size(); ++k)
      turn(k, knobs_[k].how.factor, kMostSteps);
    if (!tuner_.thrift_.repeats) return;
    if (turn_choices()) turn_numbers(kMostSteps, false);
    turn_numbers(1, true);
  }

  /// Retries the choices, which were made before the numbers were tuned. Returns whether
  /// one changed.
  bool turn_choices() {
    const Settings before = best_settings_;
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

  /// Returns the number in `value`, or in the setting that it follows.
  double number_in(const Settings& settings, const std::string& value) const {
    if (!is_follower(value)) return to_number(value);
    const std::string followed = value.substr(1);
    for (const auto& [name, number] : settings) {
      if (name == followed) return to_number(number);
    }
    return to_number(option_table().find(followed).field.print(tuner_.options_.base)[0]);
  }
  double number_of(std::size_t k) const {
    return number_in(best_settings_, best_settings_[k].second);
  }

  /// Whether the system's share of the work is used up.
  bool is_spent() const {
    const auto budget = tuner_.options_.budget.find(system_.name());
    return budget != tuner_.options_.budget.end() && fits_.passes() >= budget->second;
  }

  /// Tries other values of knob k around the best setting. A number goes on in one
  /// direction while that helps, for up to `steps` values.
  void turn(std::size_t k, double step, int steps) {
    if (is_passed(k)) return lengthen(k);
    if (step == 0) {
      std::vector<Settings> others;
      for (const std::string& choice : knobs_[k].how.choices) {
        others.push_back(with(k, choice));
      }
      return consider(others);
    }
    const double start = number_of(k);
    consider({with(k, to_text(start * step)), with(k, to_text(start / step))});
    const double reached = number_of(k);
    if (reached == start) return;
    const double onward = reached > start ? step : 1 / step;
    for (int i = 1; i < steps; ++i) {
      const double before = number_of(k);
      consider({with(k, to_text(before * onward))});
      if (number_of(k) == before) return;
    }
  }

  /// Tries longer and longer fits while that helps. Each also gives the results of the
  /// shorter ones.
  void lengthen(std::size_t k) {
    const std::vector<std::string>& lengths = knobs_[k].how.choices;
    auto length = std::ranges::find(lengths, best_settings_[k].second);
    while (length != lengths.end() && ++length != lengths.end()) {
      consider({with(k, *length)}, kWorthLonger);
      if (best_settings_[k].second != *length) return;
    }
  }

  /// Returns the start values of all knobs, some of them replaced.
  Settings start_with(const Settings& replaced) const {
    Settings settings = best_settings_;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
      settings[k].second = knobs_[k].start;
      for (const auto& [name, value] : replaced) {
        if (name == knobs_[k].name) settings[k].second = value;
      }
    }
    return settings;
  }

  Settings with(std::size_t k, const std::string& value) const {
    Settings settings = best_settings_;
    settings[k].second = value;
    return settings;
  }

  /// Returns the candidates that are new. Their fits also give the results for smaller
  /// values of SystemTraits::passed, so returns the new candidates with these values, too.
  std::vector<Settings> with_passed(const std::vector<Settings>& asked) const {
    std::vector<Settings> all;
    const auto add = [&](const Settings& settings) {
      if (std::find(seen_.begin(), seen_.end(), resolved(settings)) != seen_.end()) return;
      if (std::find(all.begin(), all.end(), settings) == all.end()) all.push_back(settings);
    };
    for (const Settings& candidate : asked) {
      const std::size_t before = all.size();
      add(candidate);
      if (all.size() == before) continue;  // not new, so there is no fit
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

  /// Fits every new setting. The best becomes the current setting if it gains more than
  /// `least_gain` of the score.
  void consider(const std::vector<Settings>& asked, double least_gain = 0) {
    const std::vector<Settings> settings = with_passed(asked);
    if (settings.empty()) return;
    if (!best_.label.empty() && is_spent()) {
      cut_short_ = true;
      return;
    }
    std::vector<Candidate> candidates;
    for (const Settings& each : settings) {
      candidates.push_back({.settings = resolved(each)});
      seen_.push_back(candidates.back().settings);
    }
    std::vector<Candidate*> left;
    for (Candidate& candidate : candidates) left.push_back(&candidate);
    race(left);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      seconds_ += candidates[c].seconds;
      if (std::find(left.begin(), left.end(), &candidates[c]) == left.end()) {
        ++dropped_;
      } else {
        judge(settings[c], candidates[c], least_gain);
      }
    }
    if (tuner_.options_.on_progress) {
      tuner_.options_.on_progress({system_.name(), fraction()});
    }
  }

  /// Fits candidates on all splits, and drops those that are clearly worse on the first.
  void race(std::vector<Candidate*>& candidates) {
    const std::size_t splits = tuner_.splits_.size();
    std::size_t done = 0, rows = 0;
    for (std::size_t s = 0; s + 1 < splits; ++s) {
      rows += tuner_.splits_[s].held_out.size();
      if (!tuner_.thrift_.races || best_.label.empty() || rows < kFewestRows) continue;
      fits_.fit(candidates, done, s + 1);
      done = s + 1;
      std::erase_if(candidates, [&](const Candidate* candidate) {
        return is_clearly_worse(*candidate, done);
      });
    }
    fits_.fit(candidates, done, splits);
  }

  bool is_clearly_worse(const Candidate& candidate, std::size_t splits) const {
    const std::size_t Y = tuner_.data_.num_labels();
    double best = 0, sum = 0, squares = 0;
    std::size_t row = 0;
    for (std::size_t s = 0; s < splits; ++s) {
      const Predictions& predicted = candidate.predicted[s];
      for (std::size_t i = 0; i < predicted.label.size(); ++i, ++row) {
        const double before = loss(best_.probability.data() + row * Y, row);
        const double more = loss(predicted.probability.data() + i * Y, row) - before;
        best += before;
        sum += more;
        squares += more * more;
      }
    }
    const bool by_loss = tuner_.options_.criterion == Criterion::log_loss;
    return sum > kClearly * std::sqrt(squares) && (by_loss || sum > kHopeless * best);
  }

  /// Returns the log loss of a held-out row, times its weight.
  double loss(const double* probability, std::size_t row) const {
    const std::size_t n = tuner_.rows_[row];
    const double p = std::max(probability[tuner_.data_.label[n]], kUnseenProbability);
    return -static_cast<double>(tuner_.data_.weight[n]) * std::log(p);
  }

  void judge(const Settings& settings, Candidate& candidate, double least_gain) {
    Predictions pooled;
    for (const Predictions& part : candidate.predicted) {
      pooled.label.insert(pooled.label.end(), part.label.begin(), part.label.end());
      pooled.probability.insert(pooled.probability.end(), part.probability.begin(),
                                part.probability.end());
    }
    const Dataset& data = tuner_.data_;
    const Criterion criterion = tuner_.options_.criterion;
    const Evaluation evaluation = evaluate_rows(data, tuner_.rows_, data.num_labels(),
                                                pooled, tuner_.options_.base.seed);
    tried_.push_back({.settings = candidate.settings,
                      .score = score(evaluation, criterion),
                      .log_loss = evaluation.log_loss,
                      .accuracy = evaluation.accuracy,
                      .f1 = evaluation.f1,
                      .seconds = candidate.seconds});
    const bool less_is_better = better(0, 1, criterion);
    const double penalised =
        tried_.back().score + (less_is_better ? 1 : -1) * penalty(settings);
    const double gain = std::abs(penalised - best_score_);
    if (best_.label.empty() || (better(penalised, best_score_, criterion) &&
                                gain >= least_gain * std::abs(best_score_))) {
      best_settings_ = settings;
      best_score_ = penalised;
      best_ = std::move(pooled);
    }
  }

  /// Returns what the prior of the numbers costs, per held-out row. The prior mean of a
  /// number that follows another option at first is that option's value.
  double penalty(const Settings& settings) const {
    double squared_steps = 0;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
      const Knob& knob = knobs_[k];
      if (knob.how.factor == 0) continue;
      const double number = number_in(settings, settings[k].second);
      const double mean = number_in(settings, knob.start);
      const double steps = std::log(number / mean) / std::log(knob.how.factor);
      squared_steps += steps * steps;
    }
    return kNatsPerStep * squared_steps / static_cast<double>(tuner_.rows_.size());
  }

  // The number of trials so far as a share of the expected number. A second search is not
  // expected.
  double fraction() const {
    double expected = 1;
    for (const Knob& knob : knobs_) {
      expected +=
          knob.how.factor > 0 ? 5.0 : static_cast<double>(knob.how.choices.size() - 1);
    }
    return std::min(0.99, static_cast<double>(seen_.size()) / expected);
  }

  Tuned result() {
    Tuned tuned;
    tuned.system = system_.name();
    tuned.settings = resolved(best_settings_);
    tuned.options = tuner_.options_.base;
    system_.apply(tuned.settings, tuned.options);
    tuned.seconds = seconds_;
    tuned.tried = std::move(tried_);
    tuned.dropped = dropped_;
    tuned.held_out = tuner_.rows_.size();
    tuned.duplicates = tuner_.duplicates_;
    tuned.source_share = tuner_.share_;
    tuned.fits = fits_.fits();
    tuned.passes = fits_.passes();
    tuned.cut_short = cut_short_;
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
  SplitFits fits_;
  std::vector<Knob> knobs_;
  std::vector<Trial> tried_;
  std::vector<Settings> seen_;  // resolved; tried or dropped
  std::size_t dropped_ = 0;
  double seconds_ = 0;
  bool cut_short_ = false;  // whether the budget ended the search
  Settings best_settings_;  // in the order of knobs_
  double best_score_ = 0;   // with the prior of the numbers
  Predictions best_;        // for all held-out rows
};

Tuned search_settings(const Tuner& tuner, const System& system) {
  return Search(tuner, system).run();
}

Tuned score_settings(const Tuner& tuner, const System& system, Settings settings) {
  return Search(tuner, system, std::move(settings)).run();
}

}  // namespace megadapt
