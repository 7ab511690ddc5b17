#include <fmt/format.h>

#include <algorithm>

#include "cli/options/tuning_options.hpp"
#include "cli/text/reports.hpp"

namespace megadapt::cli {
namespace {

// The score by which systems are ranked; higher is better.
double score(const SystemResult& system, Criterion rank) {
  const Evaluation& result = system.evaluation;
  switch (rank) {
    case Criterion::log_loss:
      return -result.log_loss;
    case Criterion::f1:
      return result.f1;
    default:
      return result.accuracy;
  }
}

// The systems that ran, the best first.
std::vector<const SystemResult*> ran(const Comparison& comparison) {
  std::vector<const SystemResult*> systems;
  for (const SystemResult& system : comparison.systems) {
    if (system.left_out.empty()) systems.push_back(&system);
  }
  std::ranges::stable_sort(systems, [&](const SystemResult* a, const SystemResult* b) {
    if (a->name == comparison.best || b->name == comparison.best) {
      return a->name == comparison.best && b->name != comparison.best;
    }
    return score(*a, comparison.rank) > score(*b, comparison.rank);
  });
  return systems;
}

const PairResult* pair_of(const Comparison& comparison, const std::string& a,
                          const std::string& b) {
  for (const PairResult& pair : comparison.pairs) {
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return &pair;
  }
  return nullptr;
}

std::string mark(double p) { return p < 0.01 ? "**" : p < 0.05 ? "*" : ""; }

std::string short_p(double p) { return p < 0.001 ? "<.001" : fmt::format("{:.3f}", p); }

std::string systems_table(const Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{
      {"system", "accuracy %", "95% interval", "F1 %", "log loss", "error cut %", ""}};
  const bool control = std::ranges::any_of(
      comparison.systems, [](const auto& each) { return each.permuted.has_value(); });
  if (control) rows[0].insert(rows[0].begin() + 2, "permuted %");
  for (const SystemResult* system : ran(comparison)) {
    const Evaluation& result = system->evaluation;
    const PairResult* pair = pair_of(comparison, system->name, comparison.best);
    rows.push_back(
        {system->name, percent(result.accuracy),
         fmt::format("{}-{}", percent(result.interval[0]), percent(result.interval[1])),
         percent(result.f1), fmt::format("{:.4f}", result.log_loss),
         pair ? fmt::format("{:.1f}", 100 * system->error_reduction) : "best",
         pair ? mark(pair->p_holm) : ""});
    if (!control) continue;
    rows.back().insert(rows.back().begin() + 2,
                       system->permuted ? percent(system->permuted->accuracy) : "-");
  }
  return text_table(rows);
}

std::string pairs_table(const Comparison& comparison) {
  const auto systems = ran(comparison);
  std::vector<std::vector<std::string>> rows{{"p"}};
  for (std::size_t b = 0; b + 1 < systems.size(); ++b) rows[0].push_back(systems[b]->name);
  for (std::size_t a = 1; a < systems.size(); ++a) {
    rows.push_back({systems[a]->name});
    for (std::size_t b = 0; b < a; ++b) {
      rows.back().push_back(
          short_p(pair_of(comparison, systems[a]->name, systems[b]->name)->p_holm));
    }
  }
  return text_table(rows, 1);
}

// Each system with and without the unlabelled rows; empty if there are none.
std::string unlabelled_lines(const Comparison& comparison) {
  std::string out;
  for (const SystemResult* system : ran(comparison)) {
    if (!system->unlabelled) continue;
    const UnlabelledGain& gain = *system->unlabelled;
    if (out.empty()) out = "\nunlabelled rows: accuracy without and with them\n";
    out += beside(
        fmt::format("  {:<10} ", system->name),
        gain.weight == 0 && gain.gain == 0
            ? std::string("not used: cross-validation saw no gain")
            : fmt::format("{}% -> {}%, weight {:.3g}, sharpen {:.3g}",
                          percent(gain.without.accuracy),
                          percent(system->evaluation.accuracy), gain.weight, gain.sharpen));
  }
  return out;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string out = systems_table(comparison);
  out +=
      "error cut: share of the system's errors that the best avoids; worse than the\n"
      "best with p < 0.05 *, p < 0.01 ** (McNemar's test, Holm's correction)\n";
  if (std::ranges::any_of(comparison.systems,
                          [](const auto& each) { return each.permuted.has_value(); })) {
    out +=
        "permuted: accuracy of the same settings when the domains of the training rows\n"
        "are dealt out at random\n";
  }
  if (!comparison.pairs.empty()) {
    out += "\ncorrected p of every pair\n" + pairs_table(comparison);
  }
  out += "\ntuned\n";
  for (const SystemResult* system : ran(comparison)) {
    std::string settings = settings_text(system->name, system->tuned);
    if (system->options.calibration) {
      settings += fmt::format("{}calibration {:.3g}", settings.empty() ? "" : ", ",
                              *system->options.calibration);
    }
    out +=
        beside(fmt::format("  {:<10} ", system->name), settings.empty() ? "-" : settings);
  }
  out += unlabelled_lines(comparison);
  for (const SystemResult& system : comparison.systems) {
    if (system.left_out.empty()) continue;
    out += wrapped(fmt::format("left out: {}: {}", system.name, system.left_out), 10);
  }
  for (const SystemResult* system : ran(comparison)) {
    const auto& unseen = system->evaluation.unseen_labels;
    if (unseen.empty()) continue;
    std::string line = "labels never seen in training, counted as wrong:";
    for (const auto& [label, count] : unseen) line += fmt::format(" {} ({})", label, count);
    out += wrapped(line, 2);
    break;  // the same for all systems
  }
  out += "\n" + wrapped(comparison.verdict);
  for (const std::string& sentence : comparison.evidence) out += wrapped(sentence);
  return out;
}

}  // namespace megadapt::cli
