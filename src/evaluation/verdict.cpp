#include "evaluation/verdict.hpp"

#include <fmt/format.h>

#include "evaluation/score_rows.hpp"

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

std::string measured(const Evaluation& evaluation, Criterion rank) {
  if (rank == Criterion::log_loss)
    return fmt::format("log loss {:.4f}", evaluation.log_loss);
  return fmt::format("{} {}%", rank == Criterion::f1 ? "F1" : "accuracy",
                     points(score(evaluation, rank)));
}

// Compares the best system with the next in accuracy, because the test is about accuracy.
std::string lead(const Comparison& comparison, const SystemResult& best,
                 const SystemResult& next) {
  const PairResult& pair = *find_pair(comparison, best.name, next.name);
  const double sign = pair.a == best.name ? 1 : -1;
  double low = sign * pair.interval[0];
  double high = sign * pair.interval[1];
  if (low > high) std::swap(low, high);
  return fmt::format(
      "{} points of accuracy compared with the next, {} (95% interval {} to {}, "
      "corrected {})",
      fmt::format("{:+.1f}", 100 * sign * pair.difference), next.name, points(low),
      points(high), p_text(pair.p_holm));
}

std::string verdict(const Comparison& comparison, const SystemResult& best,
                    Criterion rank) {
  const std::string score_text =
      fmt::format("{} on {} test row{}", measured(best.evaluation, rank),
                  comparison.examples, comparison.examples == 1 ? "" : "s");
  const SystemResult* next = find_best(comparison, rank, &best);
  if (!next) return fmt::format("Use {}: {}; no other system ran.", best.name, score_text);

  std::vector<std::string> beaten;
  std::vector<std::string> unsure;
  for (const SystemResult& other : comparison.systems) {
    if (!other.left_out.empty() || &other == &best) continue;
    const bool sure = find_pair(comparison, best.name, other.name)->p_holm < kLevel &&
                      best.evaluation.accuracy > other.evaluation.accuracy;
    (sure ? beaten : unsure).push_back(other.name);
  }
  const std::string ahead_text = lead(comparison, best, *next);
  if (beaten.empty()) {
    return fmt::format(
        "Use {} if you must choose now: {}, {}. It is not significantly better than any "
        "other system; label more rows.",
        best.name, score_text, ahead_text);
  }
  return fmt::format("Use {}: {}, {}; significantly better than {}{}.", best.name,
                     score_text, ahead_text, fmt::join(beaten, ", "),
                     unsure.empty() ? ""
                                    : fmt::format("; not significantly better than {}",
                                                  fmt::join(unsure, ", ")));
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
  comparison.verdict = verdict(comparison, *best, rank);
}

}  // namespace megadapt
