#include "evaluation/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluation/score_rows.hpp"

namespace megadapt {
namespace {

constexpr double kLevel = 0.05;

const SystemResult* find_best(const Comparison& comparison, Criterion rank) {
  const SystemResult* best = nullptr;
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty()) continue;
    const auto key = [&](const SystemResult& s) { return score(s.evaluation, rank); };
    const bool wins = !best || better(key(system), key(*best), rank) ||
                      (key(system) == key(*best) &&
                       system.evaluation.log_loss < best->evaluation.log_loss);
    if (wins) best = &system;
  }
  return best;
}

std::string points(double share) { return fmt::format("{:.1f}", 100 * share); }

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

std::string verdict(const Comparison& comparison, const SystemResult& best) {
  std::string text = fmt::format("Ship {}: {}% of {} test rows right", best.name,
                                 points(best.evaluation.accuracy), comparison.examples);
  // The strongest of the others that it beats for sure, and those it may not beat at all.
  std::vector<std::string> unsure;
  const SystemResult* second = nullptr;
  for (const SystemResult& other : comparison.systems) {
    if (!other.left_out.empty() || &other == &best) continue;
    if (!second || other.evaluation.accuracy > second->evaluation.accuracy) second = &other;
    if (find_pair(comparison, best.name, other.name)->p_holm >= kLevel) {
      unsure.push_back(other.name);
    }
  }
  if (!second) return text + "; nothing else ran to compare it with.";
  const PairResult& pair = *find_pair(comparison, best.name, second->name);
  const double gain = best.evaluation.accuracy - second->evaluation.accuracy;
  text += fmt::format(", {} points more than the next, {} ({} after correction)",
                      points(gain), second->name, p_text(pair.p_holm));
  if (unsure.empty()) return text + "; it beats every other system with confidence.";
  return text + fmt::format("; the test cannot tell it from {}.", fmt::join(unsure, ", "));
}

}  // namespace

void conclude(Comparison& comparison, const std::vector<std::vector<std::uint8_t>>& hit,
              std::span<const std::uint32_t> group, Criterion rank, std::uint64_t seed) {
  std::vector<double> p;
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
      p.push_back(pair.test.p);
      comparison.pairs.push_back(std::move(pair));
    }
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) comparison.pairs[i].p_holm = corrected[i];

  const SystemResult* best = find_best(comparison, rank);
  if (!best) {
    comparison.verdict = "No system could run.";
    return;
  }
  comparison.best = best->name;
  for (SystemResult& system : comparison.systems) {
    if (!system.left_out.empty()) continue;
    const Criterion share = rank == Criterion::f1 ? rank : Criterion::accuracy;
    system.error_reduction =
        error_reduction(score(best->evaluation, share), score(system.evaluation, share));
  }
  comparison.verdict = verdict(comparison, *best);
}

}  // namespace megadapt
