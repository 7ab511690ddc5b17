#include <fmt/format.h>

#include <cmath>

#include "evaluation/verdict.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

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
    return fmt::format("No other system is {}. The best of them, {}, reaches {} with {}.",
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
  return fmt::format(" From {:.0f} to {}, {} {} {:.1f} points.", from.examples,
                     rows_text(to.examples), best.name, gain >= 0 ? "gains" : "loses",
                     100 * std::abs(gain));
}

}  // namespace

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
  if (!best) {
    curves.verdict = fmt::format("Only onlyi ran: {} with {}.{}", percent(curves.reference),
                                 rows_text(all.examples), growth_text(*reference));
    return;
  }
  curves.enough = rows_to_reach(best->points, curves.reference);
  curves.verdict = reach_text(curves, *best, all, target) + growth_text(*best);
}

}  // namespace megadapt
