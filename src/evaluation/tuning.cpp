#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "dataset/select_rows.hpp"
#include "evaluation/calibration.hpp"
#include "evaluation/score_rows.hpp"
#include "evaluation/tuner.hpp"
#include "systems/combination_weights.hpp"
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
constexpr std::size_t kLargeFit = 20'000'000;  // non-zeros

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

// Moves the temperature from settings of any system, even a combination, to the options.
void take_calibration(Settings& settings, Options& options) {
  const std::string name = "calibration";
  for (const auto& [known, value] : settings) {
    if (known == name) set_option(options, name, value);
  }
  std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool side_by_side(const Dataset& data, const Execution& exec) {
  return exec.threads() > 1 && data.rows.nonzeros() < kLargeFit;
}

/// The search for the settings of one system.
class Search {
 public:
  Search(const Tuner& tuner, const System& system) : tuner_(tuner), system_(system) {
    for (auto& [name, start] : system.tuning_start(tuner.data_, tuner.target_)) {
      if (contains(tuner.options_.fixed, name)) continue;
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

  /// Tries other values of knob k around the best setting. Numbers continue in a direction
  /// while that is worth it, for up to `steps` values.
  void turn(std::size_t k, double step, int steps) {
    if (step == 0) {
      std::vector<Settings> others;
      for (const std::string& choice : knobs_[k].how.choices)
        others.push_back(with(k, choice));
      return consider(others);
    }
    const double start = to_number(best_settings_[k].second);
    consider({with(k, to_text(start * step)), with(k, to_text(start / step))});
    const double reached = to_number(best_settings_[k].second);
    if (reached == start) return;
    const double onward = reached > start ? step : 1 / step;
    for (int i = 1; i < steps; ++i) {
      const double before = to_number(best_settings_[k].second);
      consider({with(k, to_text(before * onward))}, kWorthAStep);
      if (to_number(best_settings_[k].second) == before) return;
    }
  }

  Settings with(std::size_t k, const std::string& value) const {
    Settings settings = best_settings_;
    settings[k].second = value;
    return settings;
  }

  /// Fits every new setting on every split. The best becomes the current setting if it
  /// gains more than `least_gain` of the score.
  void consider(std::vector<Settings> candidates, double least_gain = 0) {
    std::erase_if(candidates, [&](const Settings& settings) {
      return std::any_of(tried_.begin(), tried_.end(),
                         [&](const Trial& trial) { return trial.settings == settings; });
    });
    if (candidates.empty()) return;
    const std::size_t splits = tuner_.splits_.size();
    std::vector<std::vector<Predictions>> all(candidates.size());  // [candidates][splits]
    std::vector<double> seconds(candidates.size() * splits);
    for (auto& of_splits : all) of_splits.resize(splits);
    run_splits([&](std::size_t s, const Dataset& train, const Execution& exec) {
      for (std::size_t c = 0; c < candidates.size(); ++c) {
        const auto start = std::chrono::steady_clock::now();
        all[c][s] = fit_and_predict(candidates[c], s, train, exec);
        seconds[c * splits + s] = seconds_since(start);
      }
    });
    if (tuner_.options_.ranks->size() > 1) exchange(all, seconds);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      double total = 0;
      for (std::size_t s = 0; s < splits; ++s) total += seconds[c * splits + s];
      judge(std::move(candidates[c]), all[c], total, least_gain);
    }
    if (tuner_.options_.on_progress) {
      tuner_.options_.on_progress({system_.name(), fraction()});
    }
  }

  /// Folds are dealt to the ranks. Each fold has its own warm starts, as on one rank.
  bool is_ours(std::size_t split) const {
    const Communicator& ranks = *tuner_.options_.ranks;
    return split % static_cast<std::size_t>(ranks.size()) ==
           static_cast<std::size_t>(ranks.rank());
  }

  /// Collects the results of all ranks: each number is set on one rank and 0 on the others.
  void exchange(std::vector<std::vector<Predictions>>& all, std::vector<double>& seconds) {
    Communicator& ranks = *tuner_.options_.ranks;
    ranks.sum(seconds);
    for (auto& of_splits : all) {
      for (std::size_t s = 0; s < of_splits.size(); ++s) {
        const std::size_t rows = tuner_.splits_[s].held_out.size();
        std::vector<double> label(of_splits[s].label.begin(), of_splits[s].label.end());
        label.resize(rows);
        ranks.sum(label);
        of_splits[s].label.assign(label.begin(), label.end());
        of_splits[s].probability.resize(rows * tuner_.data_.num_labels());
        ranks.sum(of_splits[s].probability);
      }
    }
  }

  template <class Body>
  void run_splits(Body&& body) {
    const bool beside = side_by_side(tuner_.data_, tuner_.exec_);
    const Execution one(1);
    const auto work = [&](std::size_t s) {
      if (!is_ours(s)) return;
      tuner_.exec_.throw_if_stopped();
      const Dataset train = select_rows(tuner_.data_, tuner_.splits_[s].train);
      body(s, train, beside ? one : tuner_.exec_);
    };
    if (beside) {
      tuner_.exec_.for_each_chunk(tuner_.splits_.size(), work);
    } else {
      for (std::size_t s = 0; s < tuner_.splits_.size(); ++s) work(s);
    }
  }

  Predictions fit_and_predict(const Settings& settings, std::size_t s, const Dataset& train,
                              const Execution& exec) {
    Options options = tuner_.options_.base;
    options.calibration.reset();  // found afterwards
    system_.apply(settings, options);
    FitContext context = tuner_.context(exec);
    context.warm_starts = warm_[s];
    const auto predictor = system_.fit(train, tuner_.target_, options, context);
    return predict_rows(*predictor, tuner_.data_, tuner_.splits_[s].held_out,
                        tuner_.target_, exec);
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
    tried_.push_back({.settings = settings,
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
    return std::min(0.99, static_cast<double>(tried_.size()) / expected);
  }

  Tuned result() {
    Tuned tuned;
    tuned.system = system_.name();
    tuned.settings = best_settings_;
    tuned.options = tuner_.options_.base;
    system_.apply(best_settings_, tuned.options);
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
  Settings best_settings_;  // in the order of knobs_
  double best_score_ = 0;
  Predictions best_;  // for all held-out rows
};

Tuner::Tuner(const Dataset& data, std::uint32_t target, const TuneOptions& options,
             std::shared_ptr<SourceFits> source_fits, const Execution& exec)
    : data_(data),
      target_(target),
      options_(options),
      source_fits_(std::move(source_fits)),
      exec_(exec) {
  try {
    if (options.dev_fraction) {
      splits_ = {target_split(data, target, *options.dev_fraction, options.base.seed)};
    } else {
      splits_ = target_folds(data, target, options.folds, options.base.seed);
    }
  } catch (const UsageError&) {
    const double fraction = options.dev_fraction.value_or(0.5);
    if (data.rows_of(target).empty() || !(fraction > 0) || !(fraction < 1)) throw;
  }
  for (const Split& split : splits_) {
    rows_.insert(rows_.end(), split.held_out.begin(), split.held_out.end());
  }
  duplicates_ = count_duplicates(data, target, splits_);
}

// A fit on one thread does not see the stop flag, so its progress reports check it.
FitContext Tuner::context(const Execution& exec) const {
  return {.exec = exec,
          .on_progress = [&all = exec_](const Progress&) { all.throw_if_stopped(); },
          .on_fit = options_.on_fit,
          .source_fits = source_fits_,
          .former = options_.former};
}

void Tuner::calibrate(std::vector<double> distribution, Tuned& tuned) const {
  constexpr std::size_t kFolds = 5;
  if (!options_.calibrate || options_.base.calibration || distribution.empty()) return;
  HeldOutRows held_out{.probability = distribution, .num_labels = data_.num_labels()};
  for (std::size_t s = 0; s < splits_.size(); ++s) {
    const std::size_t size = splits_[s].held_out.size();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t n = splits_[s].held_out[i];
      const bool grouped = !data_.group.empty() && data_.group[n] != kNone;
      held_out.label.push_back(data_.label[n]);
      held_out.weight.push_back(static_cast<double>(data_.weight[n]));
      held_out.fold.push_back(
          static_cast<std::uint32_t>(splits_.size() > 1 ? s : i * kFolds / size));
      held_out.unit.push_back(grouped ? data_.group[n]
                                      : static_cast<std::uint32_t>(kNone - 1 - n));
    }
  }
  tuned.calibration = megadapt::calibrate(held_out);
  if (tuned.calibration->kept) tuned.options.calibration = tuned.calibration->temperature;
  tuned.distribution = std::move(distribution);
}

std::optional<Tuned> Tuner::remembered(const System& system) const {
  const std::lock_guard lock(mutex_);
  const auto known = done_.find(system.name());
  if (known == done_.end()) return std::nullopt;
  return known->second;
}

void Tuner::remember(const System& system, const Tuned& tuned) const {
  const std::lock_guard lock(mutex_);
  done_[system.name()] = tuned;
}

Tuned Tuner::tune(const System& system) const {
  if (auto known = remembered(system)) return *std::move(known);
  Tuned tuned = tune_anew(system);
  remember(system, tuned);
  return tuned;
}

Tuned Tuner::tune_anew(const System& system) const {
  const std::vector<const System*> parts = system.members();
  const bool has_weights = !parts.empty() && !system.traits().finds_member_weights;
  if (options_.known.contains(system.name()) && !has_weights) return as_known(system);
  if (parts.empty()) return Search(*this, system).run();
  std::vector<Tuned> members;
  double seconds = 0;  // of members that were not tuned before
  for (const System* member : parts) {
    const bool is_new = !remembered(*member);
    members.push_back(tune(*member));
    if (is_new) seconds += members.back().seconds;
  }
  Tuned tuned = has_weights ? combine(system, members) : pool(system, members);
  tuned.seconds += seconds;
  return tuned;
}

Tuned Tuner::as_known(const System& system) const {
  Tuned tuned;
  tuned.system = system.name();
  tuned.options = options_.base;
  Settings known = options_.known.at(tuned.system);
  take_calibration(known, tuned.options);
  for (const auto& [name, value] : known) {
    const std::string option = name.substr(name.find('.') + 1);  // of "mix.variance"
    if (!contains(options_.fixed, option)) tuned.settings.emplace_back(name, value);
  }
  system.apply(tuned.settings, tuned.options);
  return tuned;
}

// The members' settings are those of the pool, as "mix.variance". One trial says how well
// the pool predicts rows that neither its members nor their weights have seen.
Tuned Tuner::pool(const System& system, const std::vector<Tuned>& members) const {
  Settings settings;
  for (const Tuned& member : members) {
    for (const auto& [name, value] : member.settings) {
      settings.emplace_back(member.system + "." + name, value);
    }
  }
  return Search(*this, system, settings).run();
}

std::vector<double> Tuner::member_weights(const System& system,
                                          const std::vector<Tuned>& members) const {
  const UsageError unknown(
      fmt::format("the weights of the {} are not known and its members are not tuned here",
                  system.name()),
      fmt::format("take the settings from a comparison with the {} in it", system.name()));
  const auto known = options_.known.find(system.name());
  if (known != options_.known.end()) {
    std::vector<double> weights(members.size());
    double total = 0;
    for (const auto& [name, value] : known->second) {
      for (std::size_t m = 0; m < members.size(); ++m) {
        if (members[m].system == name) total += weights[m] = to_number(value);
      }
    }
    if (!(total > 0)) throw unknown;
    return weights;
  }
  std::vector<std::vector<double>> probability;
  for (const Tuned& member : members) {
    if (member.probability.size() != rows_.size()) throw unknown;
    probability.push_back(member.probability);
  }
  std::vector<double> row_weight;
  for (const std::size_t n : rows_) {
    row_weight.push_back(static_cast<double>(data_.weight[n]));
  }
  return combination_weights(probability, row_weight);
}

namespace {

// The weighted mean of the members' held-out predictions, [rows][Y]; empty if one is
// unknown.
std::vector<double> combined_distribution(const std::vector<Tuned>& members,
                                          const std::vector<double>& weights) {
  std::vector<double> all(members[0].distribution.size());
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (members[m].distribution.size() != all.size()) return {};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] += weights[m] * members[m].distribution[i];
    }
  }
  return all;
}

}  // namespace

Tuned Tuner::combine(const System& system, const std::vector<Tuned>& members) const {
  Tuned tuned;
  tuned.system = system.name();
  const std::vector<double> weights = member_weights(system, members);
  tuned.options = options_.base;
  for (std::size_t m = 0; m < members.size(); ++m) {
    tuned.options.members.push_back({members[m].system, members[m].settings, weights[m]});
    if (weights[m] < kLeastMemberWeight) continue;
    tuned.settings.emplace_back(members[m].system, print_number(weights[m]));
  }
  const auto known = options_.known.find(tuned.system);
  if (known != options_.known.end()) {
    Settings settings = known->second;
    take_calibration(settings, tuned.options);
    return tuned;
  }
  tuned.held_out = rows_.size();
  tuned.duplicates = duplicates_;
  tuned.rows = rows_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double p = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      p += weights[m] * members[m].probability[i];
    }
    tuned.probability.push_back(p);
  }
  calibrate(combined_distribution(members, weights), tuned);
  return tuned;
}

std::string how_tuned(const TuneOptions& options) {
  return fmt::format("by {} on {}", criterion_name(options.criterion),
                     options.dev_fraction
                         ? fmt::format("a random {:.3g}%", 100 * *options.dev_fraction)
                         : fmt::format("{}-fold cross-validation", options.folds));
}

Tuned tune(const Dataset& data, std::string_view system, std::uint32_t target,
           const TuneOptions& options, const Execution& exec) {
  refuse_hopeless(data);
  option_table().check(options.base);
  const System& named = find_system(system);
  refuse_unread(std::array{&named}, options.fixed);
  const Tuner tuner(data, target, options, std::make_shared<SourceFits>(), exec);
  return tuner.tune(named);
}

void check_settings(const System& system, Settings settings) {
  Options with;
  take_calibration(settings, with);
  const std::vector<const System*> members = system.members();
  if (members.empty() || system.traits().finds_member_weights) {
    Options scratch;
    return system.apply(settings, scratch);
  }
  for (const auto& [name, value] : settings) {
    if (std::ranges::find(members, name, &System::name) == members.end()) {
      throw UsageError(fmt::format("'{}' is not a member of {}", name, system.name()),
                       "give its members' weights");
    }
    parse_number(name, value, between(0, 1));
  }
}

}  // namespace megadapt
