#include "megadapt/comparison.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "dataset/select_rows.hpp"
#include "evaluation/control.hpp"
#include "evaluation/part_runner.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "evaluation/tuning/plan.hpp"
#include "evaluation/tuning/unlabelled.hpp"
#include "evaluation/verdict.hpp"
#include "systems/fit_memory.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

/// Adds up the progress of the systems, each weighted by its expected share of the time.
class Meter {
 public:
  Meter(const std::vector<const System*>& systems, std::size_t splits,
        const std::function<void(const Progress&)>& report)
      : report_(report) {
    for (const System* system : systems) {
      total_ += static_cast<double>(splits) * cost(system->name());
    }
  }

  void update(const std::string& system, double fraction) {
    const std::lock_guard lock(mutex_);
    fraction_[system] = std::max(fraction_[system], fraction);
    if (!report_) return;
    double done = finished_;
    for (const auto& [name, part] : fraction_) done += part * cost(name);
    report_({"comparing", std::min(1.0, done / total_)});
  }
  void finish(const std::string& system) {
    update(system, 1);
    const std::lock_guard lock(mutex_);
    fraction_.erase(system);
    finished_ += cost(system);
  }

 private:
  static double cost(std::string_view system) {
    const SystemCost& cost = find_system(system).traits().cost;
    return cost.pass * (cost.search + cost.fit);
  }

  const std::function<void(const Progress&)>& report_;
  std::mutex mutex_;
  double total_ = 0;
  double finished_ = 0;
  std::map<std::string, double> fraction_;
};

std::vector<const System*> named_systems(const std::vector<std::string>& names) {
  std::vector<const System*> named;
  for (const std::string& name : names) named.push_back(&find_system(name));
  if (named.empty()) named.assign(systems().begin(), systems().end());
  return named;
}

// One split with all rows of `test`, or folds of the target's rows if there is no test set.
std::vector<Split> test_splits(const Dataset& train, std::uint32_t target,
                               const Dataset* test, const CompareOptions& options) {
  if (!test) return target_folds(train, target, options.folds, options.tuning.base.seed);
  Split whole;
  whole.held_out.resize(test->num_examples());
  std::iota(whole.held_out.begin(), whole.held_out.end(), 0);
  return {whole};
}

// Returns the tuning with the settings that most parts chose.
const Tuned& most_frequent(const std::vector<Part>& parts) {
  const auto count = [&](const Part& part) {
    return std::count_if(parts.begin(), parts.end(), [&](const Part& other) {
      return other.tuned.settings == part.tuned.settings;
    });
  };
  return std::max_element(parts.begin(), parts.end(),
                          [&](const auto& a, const auto& b) { return count(a) < count(b); })
      ->tuned;
}

// Returns the median of the folds' temperatures, if most folds keep one.
std::optional<double> usual_temperature(const std::vector<Part>& parts) {
  std::vector<double> kept;
  for (const Part& part : parts) {
    if (part.tuned.options.calibration) kept.push_back(*part.tuned.options.calibration);
  }
  if (2 * kept.size() <= parts.size()) return std::nullopt;
  const auto middle = kept.begin() + static_cast<std::ptrdiff_t>(kept.size() / 2);
  std::ranges::nth_element(kept, middle);
  return *middle;
}

// Adds the gain from unlabelled rows. A part that uses none has the same predictions with
// and without them.
void add_gain(const std::vector<Part>& parts, const Dataset& tested, RowIds rows,
              std::uint32_t num_labels, std::uint64_t seed, SystemResult& result) {
  Predictions without;
  for (const Part& part : parts) {
    const Predictions& own = part.without.label.empty() ? part.predictions : part.without;
    append(own, without);
  }
  UnlabelledGain gain{
      .weight = result.options.unlabelled_weight.value_or(kUnlabelledWeight),
      .sharpen = result.options.sharpen.value_or(kSharpen)};
  gain.without = evaluate_rows(tested, rows, num_labels, without, seed);
  gain.gain = result.evaluation.accuracy - gain.without.accuracy;
  const auto right = [&](const Predictions& predictions) {
    const std::vector<std::uint8_t> hit = hits(tested, rows, predictions);
    return std::vector<double>(hit.begin(), hit.end());
  };
  std::vector<std::uint32_t> group;
  for (const std::size_t n : rows) {
    if (!tested.group.empty()) group.push_back(tested.group[n]);
  }
  gain.interval = paired_interval(right(result.predictions), right(without), group, seed);
  result.unlabelled = gain;
}

// Builds the result of a system from its parts, one per split.
SystemResult assemble(const std::string& name, std::vector<Part>& parts,
                      const Dataset& tested, RowIds rows, std::uint32_t num_labels,
                      bool has_unlabelled, std::uint64_t seed) {
  SystemResult result{.name = name};
  for (Part& part : parts) {
    if (!part.left_out.empty()) result.left_out = part.left_out;
    append(part.predictions, result.predictions);
    result.tried.insert(result.tried.end(), part.tuned.tried.begin(),
                        part.tuned.tried.end());
    result.source_share = part.tuned.source_share;
    result.fits += part.tuned.fits;
    result.passes += part.tuned.passes;
    result.cut_short = result.cut_short || part.tuned.cut_short;
    result.seconds += part.seconds;
    result.fold_options.push_back(part.tuned.options);
    if (part.tuned.calibration) result.calibration.push_back(*part.tuned.calibration);
  }
  result.tuned = most_frequent(parts).settings;
  result.options = most_frequent(parts).options;
  if (!result.calibration.empty()) result.options.calibration = usual_temperature(parts);
  if (!result.left_out.empty()) {
    result.predictions = {};
  } else {
    result.evaluation = evaluate_rows(tested, rows, num_labels, result.predictions, seed);
    if (has_unlabelled) add_gain(parts, tested, rows, num_labels, seed, result);
  }
  return result;
}

void test_span_f1(const Dataset& tested, RowIds rows, std::uint32_t num_labels,
                  std::uint64_t seed, Comparison& comparison) {
  std::map<std::string, std::vector<SpanCounts>> spans;
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty()) continue;
    spans[system.name] = sentence_spans(tested, rows, num_labels, system.predictions);
  }
  for (PairResult& pair : comparison.pairs) {
    if (spans[pair.a].empty()) return;
    pair.p_f1 = f1_randomisation_p(spans[pair.a], spans[pair.b], seed);
  }
}

std::vector<std::size_t> held_out_rows(const std::vector<Split>& splits) {
  std::vector<std::size_t> rows;
  for (const Split& split : splits) {
    rows.insert(rows.end(), split.held_out.begin(), split.held_out.end());
  }
  return rows;
}

// Tests every pair of systems and determines the best.
void judge(const Dataset& tested, RowIds rows, std::uint32_t num_labels,
           std::optional<Criterion> rank, std::uint64_t seed, Comparison& comparison) {
  std::vector<std::vector<std::uint8_t>> hit;
  for (const SystemResult& system : comparison.systems) {
    hit.push_back(system.left_out.empty() ? hits(tested, rows, system.predictions)
                                          : std::vector<std::uint8_t>());
  }
  std::vector<std::uint32_t> group;
  for (const std::size_t n : rows) {
    if (!tested.group.empty()) group.push_back(tested.group[n]);
  }
  const bool spans = std::ranges::any_of(comparison.systems, [](const SystemResult& each) {
    return each.evaluation.span_interval.has_value();
  });
  comparison.rank = rank.value_or(spans ? Criterion::f1 : Criterion::accuracy);
  test_pairs(comparison, hit, group, seed);
  test_span_f1(tested, rows, num_labels, seed, comparison);
  conclude(comparison);
}

// Returns the plan of a comparison; unset if it has no limit and nobody wants to know.
std::optional<WorkPlan> planned(const Dataset& train, std::uint32_t target,
                                const std::vector<const System*>& systems,
                                std::size_t splits, const CompareOptions& options,
                                const PartStore& store, const Execution& exec) {
  if (!options.on_plan && !options.passes && !options.seconds) return std::nullopt;
  const Tuner tuner(train, target, options.tuning, std::make_shared<SourceFits>(), exec);
  const WorkPlanner planner(tuner, systems, splits, options, exec.threads());
  if (options.passes) return planner.within(*options.passes);
  if (!options.seconds) return planner.without_limit();
  // Every rank, and every continuation of this comparison, follows the first plan.
  double limit = options.ranks->rank() == 0
                     ? store.limit_for(*options.seconds,
                                       [&] { return planner.passes_in(*options.seconds); })
                     : 0;
  options.ranks->sum({&limit, 1});
  return planner.within(limit);
}

// Moves the systems without time from `systems` to the results.
void leave_out(const WorkPlan& plan, std::vector<const System*>& systems,
               std::map<std::string, SystemResult>& done) {
  for (const std::string& name : plan.left_out) {
    std::erase_if(systems, [&](const System* system) { return system->name() == name; });
    done[name] = {.name = name, .left_out = "there is no time for it within the limit"};
  }
}

// Returns the systems that this rank runs on one split. Combinations are left out: every
// rank builds them itself from its members' results.
std::vector<const System*> share_of(const std::vector<const System*>& systems,
                                    std::size_t split, const Communicator& ranks) {
  const auto count = static_cast<std::size_t>(ranks.size());
  std::vector<const System*> own;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const bool mine =
        (split * systems.size() + i) % count == static_cast<std::size_t>(ranks.rank());
    if (mine && systems[i]->members().empty()) own.push_back(systems[i]);
  }
  return own;
}

}  // namespace

Comparison compare(const Dataset& train, std::uint32_t target, const Dataset* test,
                   const CompareOptions& given, const Execution& exec) {
  refuse_hopeless(train);
  option_table().check(given.tuning.base);
  const std::vector<const System*> named = named_systems(given.systems);
  refuse_unread(named, given.tuning.fixed);
  const std::vector<Split> splits = test_splits(train, target, test, given);
  const std::uint64_t seed = given.tuning.base.seed;
  const Dataset& tested = test ? *test : train;
  const std::vector<std::size_t> rows = held_out_rows(splits);
  Comparison comparison;
  comparison.examples = rows.size();
  comparison.repetitive = train.is_sequences() || repeats_rows(train, target);
  comparison.duplicates = test ? count_duplicates(train, target, *test)
                               : count_duplicates(train, target, splits);
  CompareOptions options = given;
  options.tuning.ranks = &serial_communicator();  // ranks tune different systems
  PartStore store(train, target, test, options);
  std::vector<const System*> running = named;
  std::map<std::string, SystemResult> done;
  comparison.plan = planned(train, target, named, splits.size(), options, store, exec);
  if (comparison.plan) {
    options.tuning.budget = comparison.plan->budget;
    leave_out(*comparison.plan, running, done);
    if (options.on_plan) options.on_plan(*comparison.plan);
  }
  Meter meter(running, splits.size(), given.on_progress);
  options.tuning.on_progress = [&](const Progress& progress) {
    meter.update(progress.stage, progress.fraction);
  };
  const auto source_fits = std::make_shared<SourceFits>();
  std::map<std::string, std::vector<Part>> parts;  // [systems][splits]
  try {
    for (std::size_t s = 0; s < splits.size(); ++s) {
      // A row is never tested by a fit that has seen its text.
      const auto unlabelled =
          unlabelled_without(train.unlabelled, tested, splits[s].held_out);
      const bool whole = test && unlabelled == train.unlabelled;
      Dataset rest;
      if (!whole) rest = test ? train : select_rows(train, splits[s].train);
      rest.unlabelled = unlabelled;
      PartRunner runner({.train = whole ? &train : &rest,
                         .target = target,
                         .test = &tested,
                         .rows = splits[s].held_out,
                         .split = s},
                        options, store, source_fits, exec);
      if (options.ranks->size() > 1) {
        std::map<std::string, Part> own;
        runner.run(share_of(running, s, *options.ranks),
                   [&](const std::string& name, const Part& part) { own[name] = part; });
        store.exchange(s, own, *options.ranks);
      }
      runner.run(running, [&](const std::string& name, const Part& part) {
        parts[name].push_back(part);
        meter.finish(name);
        if (s + 1 < splits.size()) return;
        done[name] = assemble(name, parts[name], tested, rows, train.num_labels(),
                              train.unlabelled != nullptr, seed);
        parts[name].clear();
        if (options.on_system) options.on_system(done[name]);
      });
    }
  } catch (const Interrupted&) {
    comparison.complete = false;
  }

  for (const System* system : named) {
    const auto result = done.find(system->name());
    if (result != done.end()) comparison.systems.push_back(std::move(result->second));
  }
  try {
    if (options.control && comparison.complete) {
      run_control(train, target, test, splits, seed, exec, comparison);
    }
  } catch (const Interrupted&) {
    comparison.complete = false;
  }
  judge(tested, rows, train.num_labels(), options.rank, seed, comparison);
  return comparison;
}

std::vector<std::string> parse_systems(std::string_view text) {
  std::vector<std::string_view> asked;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, comma - begin);
    if (name == "all") {
      for (const System* system : systems()) asked.push_back(system->name());
    } else if (!name.empty()) {
      asked.push_back(find_system(name).name());
    }
    begin = comma + 1;
  }
  if (asked.empty()) {
    throw UsageError("no system is named",
                     "write --systems all, or names such as mix,megam");
  }
  std::vector<std::string> names;
  for (const System* system : systems()) {
    if (std::find(asked.begin(), asked.end(), system->name()) != asked.end()) {
      names.emplace_back(system->name());
    }
  }
  return names;
}

}  // namespace megadapt
