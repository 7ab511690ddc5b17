// How much work a comparison does, and what it leaves out to fit into a limit.
#include "evaluation/tuning/plan.hpp"

#include <algorithm>
#include <cmath>

namespace megadapt {
namespace {

// A final fit is tighter than those of a search, and takes this many times as many passes.
constexpr double kFinalFit = 2.5;
// What another thread adds to the speed of one. It is less than 1, because systems and
// folds run side by side, but the last of them runs alone.
constexpr double kThreadGain = 0.75;

// Rounds down to three digits, so that a limit can be typed.
double typable(double passes) {
  if (!(passes > 0)) return 0;
  const double digit = std::pow(10, std::floor(std::log10(passes)) - 2);
  return std::max(1.0, std::floor(passes / digit) * digit);
}

}  // namespace

WorkPlanner::WorkPlanner(const Tuner& tuner, std::vector<const System*> systems,
                         std::size_t splits, const CompareOptions& options, int threads)
    : systems_(std::move(systems)),
      splits_(splits),
      options_(options),
      threads_(1 + kThreadGain * (threads - 1)) {
  const Tuner::Probe probe = tuner.probe();
  fold_passes_ = probe.passes * static_cast<double>(probe.folds);
  fit_passes_ = kFinalFit * probe.passes / probe.share_of_rows;
  speed_ = probe.passes / std::max(probe.seconds, 1e-6);
}

double WorkPlanner::seconds(double passes) const { return passes / (speed_ * threads_); }

bool WorkPlanner::is_searched(const System& system) const {
  return options_.tune && !options_.tuning.known.contains(system.name());
}

// Members of a combination are tuned even if nobody asked for them.
std::vector<WorkPlanner::Share> WorkPlanner::shares_of(
    const std::vector<const System*>& systems) const {
  std::vector<Share> shares;
  const auto add = [&](const System* system, bool asked) {
    const auto known = std::ranges::find(shares, system, &Share::system);
    if (known != shares.end()) return;
    const SystemCost& cost = system->traits().cost;
    const double folds =
        is_searched(*system) ? cost.pass * fold_passes_ * static_cast<double>(splits_) : 0;
    shares.push_back(
        {.system = system,
         .search = cost.search * folds,
         .first = std::min(cost.search, cost.fit) * folds,
         .fit =
             asked ? cost.fit * cost.pass * fit_passes_ * static_cast<double>(splits_) : 0,
         .asked = asked});
  };
  for (const System* system : systems) add(system, true);
  for (const System* system : systems) {
    for (const System* member : system->members()) add(member, false);
  }
  return shares;
}

WorkPlan WorkPlanner::without_limit() const {
  WorkPlan plan;
  for (const Share& share : shares_of(systems_)) plan.passes += share.search + share.fit;
  plan.seconds = seconds(plan.passes);
  return plan;
}

double WorkPlanner::passes_in(double seconds) const {
  return typable(seconds * speed_ * threads_);
}

WorkPlan WorkPlanner::within(double limit) const {
  WorkPlan plan = without_limit();
  plan.limit = limit;
  if (plan.passes <= limit) return plan;
  // Leaves out the most expensive systems until the first settings of the others fit in.
  std::vector<const System*> kept = systems_;
  const auto least = [&](const std::vector<Share>& shares) {
    double sum = 0;
    for (const Share& share : shares) sum += share.first + share.fit;
    return sum;
  };
  std::vector<Share> shares = shares_of(kept);
  while (kept.size() > 1 && least(shares) > limit) {
    const auto saved = [&](const System* system) {
      std::vector<const System*> others = kept;
      std::erase(others, system);
      return least(shares) - least(shares_of(others));
    };
    const System* const out = *std::ranges::max_element(kept, {}, saved);
    plan.left_out.push_back(out->name());
    std::erase(kept, out);
    shares = shares_of(kept);
  }
  const double spare = std::max(0.0, limit - least(shares));
  double wanted = 0;
  for (const Share& share : shares) wanted += share.search - share.first;
  const double part = wanted > 0 ? std::min(1.0, spare / wanted) : 1;
  plan.passes = least(shares);
  for (const Share& share : shares) {
    const double more = part * (share.search - share.first);
    plan.passes += more;
    if (part < 1) {
      plan.budget[share.system->name()] =
          (share.first + more) /
          (share.system->traits().cost.pass * static_cast<double>(splits_));
    }
  }
  plan.seconds = seconds(plan.passes);
  return plan;
}

}  // namespace megadapt
