#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluation/curves/power_law.hpp"
#include "evaluation/verdict.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr std::uint64_t kSeed = 1;  // of the intervals

std::string rows_text(double examples) {
  return fmt::format("{:.0f} row{}", examples, std::lround(examples) == 1 ? "" : "s");
}

// Returns the (interpolated) number of rows at which a curve first reaches `level`.
std::optional<double> rows_to_reach(const std::vector<CurvePoint>& points, double level) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double here = points[i].accuracy.mean;
    if (here < level) continue;
    if (i == 0) return points[0].examples;
    const double before = points[i - 1].accuracy.mean;
    const double part = (level - before) / (here - before);
    return std::exp((1 - part) * std::log(points[i - 1].examples) +
                    part * std::log(points[i].examples));
  }
  return std::nullopt;
}

std::string reach_text(const LearningCurves& curves, const SystemCurve& best,
                       const CurvePoint& all, const std::string& target) {
  const std::string reference =
      fmt::format("as accurate as onlyi with all {} of '{}' ({})", rows_text(all.examples),
                  target, percent(all.accuracy.mean));
  if (!curves.enough) {
    return fmt::format("No other system is {}; the best of them, {}, reaches {} with {}.",
                       reference, best.name, percent(best.points.back().accuracy.mean),
                       rows_text(best.points.back().examples));
  }
  if (*curves.enough <= best.points.front().examples) {
    return fmt::format("With {}, the smallest size tried, {} is already {}.",
                       rows_text(*curves.enough), best.name, reference);
  }
  return fmt::format("With about {}, {} is {}.", rows_text(*curves.enough), best.name,
                     reference);
}

// Tells whether more labels would help: the gain from the last increase in size.
std::string growth_text(const SystemCurve& best) {
  if (best.points.size() < 2) return {};
  const CurvePoint& from = best.points[best.points.size() - 2];
  const CurvePoint& to = best.points.back();
  const double gain = to.accuracy.mean - from.accuracy.mean;
  return fmt::format("From {:.0f} to {}, {} {} {:.1f} points.", from.examples,
                     rows_text(to.examples), best.name, gain >= 0 ? "gains" : "loses",
                     100 * std::abs(gain));
}

// 343 -> "340": more than two digits would promise too much.
std::string about(double labels) {
  if (labels < 10) return fmt::format("{:.0f}", labels);
  const double unit = std::pow(10, std::floor(std::log10(labels)) - 1);
  return fmt::format("{:.0f}", std::round(labels / unit) * unit);
}

std::string worth_text(const SourceWorth& worth) {
  if (worth.labels < 1) return "The source replaces no target labels";
  const std::string interval =
      fmt::format("[{}, {}]", about(worth.interval[0]), about(worth.interval[1]));
  if (worth.more_than) {
    return fmt::format("The source replaces more than {} target labels",
                       about(worth.labels));
  }
  return fmt::format("The source replaces about {} target labels {}", about(worth.labels),
                     interval);
}

std::string more_text(const ExpectedGain& more) {
  return fmt::format("{:.0f} more labels would give {} {:+.1f} points [{:.1f}, {:.1f}].",
                     more.labels, more.system, 100 * more.gain, 100 * more.interval[0],
                     100 * more.interval[1]);
}

// Returns the gain of about 100 more labels, or of half as many again if there are fewer
// than 100.
std::optional<ExpectedGain> gain_of_more(const SystemCurve& curve, int repeats) {
  const double have = curve.points.empty() ? 0 : curve.points.back().examples;
  const double more = have >= 100 ? 100 : std::max(1.0, std::round(have / 2));
  return expected_gain(curve, repeats, have, more, kSeed);
}

// "The source replaces about 340 target labels; 100 more would give +1.2 points."
std::string labels_text(const LearningCurves& curves) {
  if (!curves.more) return {};
  if (!curves.worth) return more_text(*curves.more);
  return worth_text(*curves.worth) + "; " + more_text(*curves.more);
}

void add_evidence(LearningCurves& curves, const SystemCurve& best) {
  for (std::string sentence : {growth_text(best), labels_text(curves)}) {
    if (!sentence.empty()) curves.evidence.push_back(std::move(sentence));
  }
}

}  // namespace

void conclude_strategies(Strategies& strategies) {
  for (const StrategyCurve& curve : strategies.systems) {
    if (!strategies.verdict.empty()) strategies.verdict += ' ';
    if (!curve.left_out.empty()) {
      strategies.verdict +=
          fmt::format("{} is left out: {}.", curve.system, curve.left_out);
      continue;
    }
    strategies.verdict += fmt::format(
        "{}: next needs {:.0f}% of the labels of random [{:.0f}, {:.0f}] for {} accuracy, "
        "which random has with {:.0f}.",
        curve.system, 100 * curve.share, 100 * curve.interval[0], 100 * curve.interval[1],
        percent(curve.accuracy), curve.labels);
  }
}

void conclude_curves(LearningCurves& curves, const std::string& target) {
  const SystemCurve* best = nullptr;
  const SystemCurve* reference = nullptr;
  for (const SystemCurve& curve : curves.systems) {
    const bool is_reference = curve.name == only_target_system().name();
    if (is_reference) reference = &curve;
    if (is_reference || !curve.left_out.empty()) continue;
    if (!best || curve.points.back().accuracy.mean > best->points.back().accuracy.mean) {
      best = &curve;
    }
  }
  if (!reference || !reference->left_out.empty()) {
    curves.verdict = "onlyi could not run, so there is nothing to compare with.";
    return;
  }
  const CurvePoint& all = reference->points.back();
  curves.reference = all.accuracy.mean;
  curves.best = best ? best->name : reference->name;
  curves.more = gain_of_more(best ? *best : *reference, curves.repeats);
  if (!best) {
    curves.verdict = fmt::format("Only onlyi ran: {} with {}.", percent(curves.reference),
                                 rows_text(all.examples));
    add_evidence(curves, *reference);
    return;
  }
  curves.enough = rows_to_reach(best->points, curves.reference);
  curves.worth = source_worth(*best, *reference, curves.repeats, kSeed);
  curves.verdict = reach_text(curves, *best, all, target);
  add_evidence(curves, *best);
}

}  // namespace megadapt
