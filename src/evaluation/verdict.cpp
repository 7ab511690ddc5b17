#include "evaluation/verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "evaluation/scores/score_rows.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr double kLevel = 0.05;

// Whether a ranks before b; ties are broken by log loss.
bool ahead(const SystemResult& a, const SystemResult& b, Criterion rank) {
  const double x = score(a.evaluation, rank);
  const double y = score(b.evaluation, rank);
  return x == y ? a.evaluation.log_loss < b.evaluation.log_loss : better(x, y, rank);
}

// Returns the best of the systems that ran, `except` not counted.
const SystemResult* find_best(const Comparison& comparison, Criterion rank,
                              const SystemResult* except = nullptr) {
  const SystemResult* best = nullptr;
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty() || &system == except) continue;
    if (!best || ahead(system, *best, rank)) best = &system;
  }
  return best;
}

std::string p_text(double p) {
  return p < 0.0001 ? "p < 0.0001" : fmt::format("p = {:.2g}", p);
}

const PairResult* find_pair(const Comparison& comparison, const std::string& a,
                            const std::string& b) {
  for (const PairResult& pair : comparison.pairs) {
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return &pair;
  }
  return nullptr;
}

// Whether the test says that the best system is better than the other.
bool is_better(const Comparison& comparison, const SystemResult& best,
               const SystemResult& other) {
  const Criterion tested =
      comparison.rank == Criterion::f1 ? Criterion::f1 : Criterion::accuracy;
  return find_pair(comparison, best.name, other.name)->p_holm < kLevel &&
         score(best.evaluation, tested) > score(other.evaluation, tested);
}

std::string measured(const Evaluation& evaluation, Criterion rank) {
  if (rank == Criterion::log_loss) {
    return fmt::format("log loss {:.4f}", evaluation.log_loss);
  }
  return percent(score(evaluation, rank)) + (rank == Criterion::f1 ? " F1" : " right");
}

// The system that the headline compares with: pooling everything, else the target alone,
// else the next best. Null if nothing else ran.
struct Rival {
  const SystemResult* system = nullptr;
  std::string name;  // for a sentence
};

Rival find_rival(const Comparison& comparison, const SystemResult& best) {
  const std::pair<const System*, const char*> usual[] = {
      {&mix_system(), "pooling everything"}, {&only_target_system(), "the target alone"}};
  for (const auto& [system, words] : usual) {
    for (const SystemResult& each : comparison.systems) {
      if (each.name != system->name() || !each.left_out.empty() || &each == &best) continue;
      return {&each, fmt::format("{} ({})", words, each.name)};
    }
  }
  const SystemResult* next = find_best(comparison, comparison.rank, &best);
  return {next, next ? "the next, " + next->name : ""};
}

// ", 5.8 points more than pooling everything (mix)"
std::string lead(const Comparison& comparison, const SystemResult& best,
                 const Rival& rival) {
  const Criterion rank = comparison.rank;
  const double gain = score(best.evaluation, rank) - score(rival.system->evaluation, rank);
  const std::string size = rank == Criterion::log_loss
                               ? fmt::format("{:.4f}", std::abs(gain))
                               : fmt::format("{:.1f}", 100 * std::abs(gain));
  if (size.find_first_not_of("0.") == std::string::npos) {
    return fmt::format(", the same as {}", rival.name);
  }
  const char* what = rank == Criterion::log_loss ? "less"
                     : size == "1.0"             ? "point more"
                                                 : "points more";
  return fmt::format(
      ", {} {} than {}{}", size, what, rival.name,
      is_better(comparison, best, *rival.system) ? "" : "; that difference may be chance");
}

// Whether the systems were trained on most of the rows that they are tested on.
bool has_seen_most(const Comparison& comparison) {
  return !comparison.repetitive && 2 * comparison.duplicates > comparison.examples;
}

std::string headline(const Comparison& comparison, const SystemResult& best) {
  const std::string figure = measured(best.evaluation, comparison.rank);
  const Rival rival = find_rival(comparison, best);
  const std::string more =
      rival.system ? lead(comparison, best, rival) : "; nothing else ran";
  if (!comparison.complete) {
    return fmt::format("Unfinished: {} leads so far with {}{}.", best.name, figure, more);
  }
  if (has_seen_most(comparison)) {
    return fmt::format(
        "No verdict: {} of {} test rows equal a training row. {} leads with {}{}.",
        comparison.duplicates, comparison.examples, best.name, figure, more);
  }
  return fmt::format("Ship {}: {}{}.", best.name, figure, more);
}

// Says how many rows were tested and how far the figure may be off.
std::string certainty(const Comparison& comparison, const SystemResult& best) {
  const Evaluation& result = best.evaluation;
  const bool spans = comparison.rank == Criterion::f1 && result.span_interval;
  const auto& [low, high] = spans ? *result.span_interval : result.interval;
  return fmt::format(
      "Tested on {} {}{}. With other test data of the same kind, expect {} to {} {} (95% "
      "interval).",
      comparison.examples, result.span_interval ? "token" : "row",
      comparison.examples == 1 ? "" : "s", percent(low), percent(high),
      spans ? "F1" : "right");
}

// The systems for which the test has the same outcome, with their lowest and highest
// corrected p.
struct Outcome {
  std::vector<std::string> names;
  double low = 1;
  double high = 0;
  void add(const std::string& name, double p) {
    names.push_back(name);
    low = std::min(low, p);
    high = std::max(high, p);
  }
};

// The control uses the settings that were tuned for the true domains. If a system were
// tuned again for the permuted ones, it might do better on them.
constexpr const char* kNotRetuned =
    " (The permuted fits keep the settings tuned for the true domains.)";

// Splits the gain over mix into the part that remains when the rows' domains are permuted,
// and the part that needs the true domains. Empty without a control or if mix itself is the
// best.
std::string split_gain(const Comparison& comparison, const SystemResult& best) {
  const auto mix = std::find_if(
      comparison.systems.begin(), comparison.systems.end(),
      [](const SystemResult& each) { return each.name == mix_system().name(); });
  if (mix == comparison.systems.end() || &*mix == &best) return {};
  if (!best.permuted || !mix->permuted) return {};
  const Criterion by =
      comparison.rank == Criterion::f1 ? Criterion::f1 : Criterion::accuracy;
  const double gain = 100 * (score(best.evaluation, by) - score(mix->evaluation, by));
  const double kept = 100 * (score(*best.permuted, by) - score(*mix->permuted, by));
  if (gain < 0.05) return {};  // nothing to split
  if (kept < 0.05) {
    return fmt::format(
        "None of its {:.1f} points over mix stay when the rows' domains are permuted: they "
        "are adaptation.{}",
        gain, kNotRetuned);
  }
  if (kept > gain - 0.05) {
    return fmt::format(
        "Its {:.1f} points over mix stay when the rows' domains are permuted: they come "
        "from the prior and the form of the model, not from adaptation.{}",
        gain, kNotRetuned);
  }
  return fmt::format(
      "Of its {:.1f} points over mix, {:.1f} stay when the rows' domains are permuted "
      "(they come from the prior and the form of the model), and {:.1f} are adaptation.{}",
      gain, kept, gain - kept, kNotRetuned);
}

// Says how much each system gains from unlabelled rows; empty if there are none.
std::string unlabelled_gains(const Comparison& comparison) {
  std::vector<std::string> gains, none;
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty() || !system.unlabelled) continue;
    const UnlabelledGain& gain = *system.unlabelled;
    if (gain.weight == 0 && gain.gain == 0) {
      none.push_back(system.name);
      continue;
    }
    gains.push_back(fmt::format("{} {:+.1f} points [{:.1f}, {:.1f}]", system.name,
                                100 * gain.gain, 100 * gain.interval[0],
                                100 * gain.interval[1]));
  }
  if (gains.empty() && none.empty()) return {};
  if (!none.empty()) {
    gains.push_back(
        fmt::format("cross-validation left them out of {}", fmt::join(none, ", ")));
  }
  return fmt::format("Unlabelled rows: {}.", fmt::join(gains, ", "));
}

// Says what a limit of the work has cost; nothing if there was enough time.
std::vector<std::string> costs_of_limit(const Comparison& comparison) {
  if (!comparison.plan || !comparison.plan->limit) return {};
  std::vector<std::string> cut, said;
  for (const SystemResult& system : comparison.systems) {
    if (system.cut_short) cut.push_back(system.name);
  }
  if (!cut.empty()) {
    said.push_back(
        fmt::format("The limit ended the search for settings of {}: with more "
                    "time {} may do better.",
                    fmt::join(cut, ", "), cut.size() == 1 ? "it" : "they"));
  }
  if (!comparison.plan->left_out.empty()) {
    said.push_back(fmt::format("The limit left no time for {}.",
                               fmt::join(comparison.plan->left_out, ", ")));
  }
  return said;
}

std::vector<std::string> evidence(const Comparison& comparison, const SystemResult& best) {
  std::vector<std::string> said{certainty(comparison, best)};
  Outcome beaten, unsure;
  for (const SystemResult& other : comparison.systems) {
    if (!other.left_out.empty() || &other == &best) continue;
    const double p = find_pair(comparison, best.name, other.name)->p_holm;
    (is_better(comparison, best, other) ? beaten : unsure).add(other.name, p);
  }
  if (!beaten.names.empty()) {
    said.push_back(fmt::format("Better than {} ({}{}, corrected for {} comparison{}).",
                               fmt::join(beaten.names, ", "),
                               beaten.names.size() > 1 ? "at most " : "",
                               p_text(beaten.high), comparison.pairs.size(),
                               comparison.pairs.size() == 1 ? "" : "s"));
  }
  if (!unsure.names.empty()) {
    said.push_back(
        fmt::format("Not told apart from {} ({}{}): {}. More test rows would tell.",
                    fmt::join(unsure.names, ", "),
                    unsure.names.size() > 1 && unsure.low < 1 ? "at least " : "corrected ",
                    p_text(unsure.low),
                    unsure.names.size() > 1 ? "these differences may be chance"
                                            : "the difference may be chance"));
  }
  if (const std::string split = split_gain(comparison, best); !split.empty()) {
    said.push_back(split);
  }
  if (const std::string gains = unlabelled_gains(comparison); !gains.empty()) {
    said.push_back(gains);
  }
  if (!comparison.repetitive && comparison.duplicates > 0) {
    said.push_back(fmt::format(
        "{} of the {} test rows {} in the training data, so the scores are too optimistic.",
        comparison.duplicates, comparison.examples,
        comparison.duplicates == 1 ? "is" : "are"));
  }
  for (std::string& cost : costs_of_limit(comparison)) said.push_back(std::move(cost));
  if (!comparison.complete) {
    said.emplace_back(
        "The comparison was stopped early: systems that had not finished are missing, and "
        "one of them may be better.");
  }
  return said;
}

}  // namespace

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

void test_pairs(Comparison& comparison, const std::vector<std::vector<std::uint8_t>>& hit,
                std::span<const std::uint32_t> group, std::uint64_t seed) {
  for (std::size_t a = 0; a < hit.size(); ++a) {
    for (std::size_t b = a + 1; b < hit.size(); ++b) {
      if (hit[a].empty() || hit[b].empty()) continue;
      PairResult pair{.a = comparison.systems[a].name, .b = comparison.systems[b].name};
      pair.test = mcnemar(hit[a], hit[b]);
      const std::vector<double> right_a(hit[a].begin(), hit[a].end());
      const std::vector<double> right_b(hit[b].begin(), hit[b].end());
      pair.difference = comparison.systems[a].evaluation.accuracy -
                        comparison.systems[b].evaluation.accuracy;
      pair.interval = paired_interval(right_a, right_b, group, seed);
      comparison.pairs.push_back(std::move(pair));
    }
  }
}

void conclude(Comparison& comparison) {
  std::vector<double> p;
  for (const PairResult& pair : comparison.pairs) {
    const bool spans = comparison.rank == Criterion::f1 && pair.p_f1;
    p.push_back(spans ? *pair.p_f1 : pair.test.p);
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) comparison.pairs[i].p_holm = corrected[i];

  const SystemResult* best = find_best(comparison, comparison.rank);
  if (!best) {
    comparison.verdict = comparison.complete ? "No system could run."
                                             : "Unfinished: no system was done in time.";
    return;
  }
  comparison.best = best->name;
  for (SystemResult& system : comparison.systems) {
    if (!system.left_out.empty()) continue;
    const Criterion share =
        comparison.rank == Criterion::f1 ? Criterion::f1 : Criterion::accuracy;
    system.error_reduction =
        error_reduction(score(best->evaluation, share), score(system.evaluation, share));
  }
  comparison.verdict = headline(comparison, *best);
  comparison.evidence = evidence(comparison, *best);
}

}  // namespace megadapt
