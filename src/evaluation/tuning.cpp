#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "dataset/select_rows.hpp"
#include "evaluation/scores/calibration.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "evaluation/tuner.hpp"
#include "systems/combination_weights.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kLargeFit = 20'000'000;  // non-zeros

// Some values are chosen after all other settings: the temperature and the use of
// unlabelled rows. Moves them from the settings of a system, even of a combination, to the
// options.
void take_later_choices(Settings& settings, Options& options) {
  for (const std::string name : {"calibration", "unlabelled-weight", "sharpen"}) {
    for (const auto& [known, value] : settings) {
      if (known == name) set_option(options, name, value);
    }
    std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool side_by_side(const Dataset& data, const Execution& exec) {
  return exec.threads() > 1 && data.rows.nonzeros() < kLargeFit;
}

Tuner::Tuner(const Dataset& data, std::uint32_t target, const TuneOptions& options,
             std::shared_ptr<SourceFits> source_fits, const Execution& exec)
    : data_(data),
      target_(target),
      options_(options),
      source_fits_(std::move(source_fits)),
      sample_fits_(source_fits_),
      exec_(exec),
      thrift_(thrift_of(options.effort)) {
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
  share_ = source_share(data, target, thrift_, options.source_share);
  if (share_ >= 1) return;
  sample_fits_ = std::make_shared<SourceFits>();
  const std::vector<bool> kept = sample_source(data, target, share_, options.base.seed);
  for (Split& split : splits_) {
    std::erase_if(split.train, [&](std::size_t n) { return !kept[n]; });
  }
}

// A fit on one thread does not see the stop flag, so its progress reports check it.
FitContext Tuner::context(const Execution& exec) const {
  return {.exec = exec,
          .on_progress = [&all = exec_](const Progress&) { all.throw_if_stopped(); },
          .on_fit = options_.on_fit,
          .source_fits = source_fits_,
          .former = options_.former};
}

Tuner::Probe Tuner::probe() const {
  Probe probe{.folds = splits_.size()};
  const System& mix = mix_system();
  Options options = options_.base;
  mix.apply(mix.tuning_start(data_, target_), options);
  const Execution one(1);
  FitContext context = search_context(one);
  context.on_fit = [&](const MaxentFit& fit) { probe.passes = in_passes(fit.work); };
  const auto start = std::chrono::steady_clock::now();
  const Dataset rows =
      select_rows(data_, splits_.empty() ? all_rows(data_) : splits_[0].train);
  mix.fit_rows(rows, target_, for_search(options), context);
  probe.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  probe.share_of_rows = in_passes(static_cast<double>(rows.rows.nonzeros()));
  return probe;
}

double Tuner::in_passes(double work) const {
  return work / std::max<double>(1, static_cast<double>(data_.rows.nonzeros()));
}

FitContext Tuner::search_context(const Execution& exec) const {
  FitContext own = context(exec);
  own.source_fits = sample_fits_;
  return own;
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
  Tuned tuned = tune_labelled(system);
  const bool by_members =
      !system.members().empty() && !system.traits().finds_member_weights;
  if (!options_.known.contains(system.name()) && !by_members) try_unlabelled(system, tuned);
  remember(system, tuned);
  return tuned;
}

Tuned Tuner::tune_labelled(const System& system) const {
  {
    const std::lock_guard lock(mutex_);
    const auto known = labelled_.find(system.name());
    if (known != labelled_.end()) return known->second;
  }
  Tuned tuned = tune_anew(system);
  const std::lock_guard lock(mutex_);
  labelled_[system.name()] = tuned;
  return tuned;
}

Options Tuner::for_search(Options options) const {
  options.calibration.reset();    // found afterwards
  options.unlabelled_weight = 0;  // likewise
  options.tolerance = std::max(options.tolerance, thrift_.tolerance);
  options.psi_sweeps = std::min(options.psi_sweeps, thrift_.psi_sweeps);
  if (options.out_weight) {
    options.out_weight = weight_in_sample(*options.out_weight, share_);
  }
  return options;
}

Tuned Tuner::tune_anew(const System& system) const {
  const std::vector<const System*> parts = system.members();
  const bool has_weights = !parts.empty() && !system.traits().finds_member_weights;
  if (options_.known.contains(system.name()) && !has_weights) return as_known(system);
  if (parts.empty()) return search_settings(*this, system);
  std::vector<Tuned> members;
  double seconds = 0;  // of members that were not tuned before
  for (const System* member : parts) {
    const bool is_new = !remembered(*member);
    // A pool's members are fitted together, so it tries unlabelled rows as a whole.
    members.push_back(has_weights ? tune(*member) : tune_labelled(*member));
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
  take_later_choices(known, tuned.options);
  for (const auto& [name, value] : known) {
    const std::string option = name.substr(name.find('.') + 1);  // of "mix.variance"
    if (!contains(options_.fixed, option)) tuned.settings.emplace_back(name, value);
  }
  system.apply(tuned.settings, tuned.options);
  return tuned;
}

// The settings of the pool are those of its members, named like "mix.variance". One trial
// says how well the pool predicts rows that neither its members nor their weights have
// seen.
Tuned Tuner::pool(const System& system, const std::vector<Tuned>& members) const {
  Settings settings;
  for (const Tuned& member : members) {
    for (const auto& [name, value] : member.settings) {
      settings.emplace_back(member.system + "." + name, value);
    }
  }
  return score_settings(*this, system, settings);
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
        if (members[m].system == name)
          total += weights[m] = parse_number(name, value, between(0, 1));
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
    take_later_choices(settings, tuned.options);
    return tuned;
  }
  tuned.source_share = share_;
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
  take_later_choices(settings, with);
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
