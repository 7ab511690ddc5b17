#include "adaptation/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace megadapt {

MaxentOptions maxent_options(const AdaptationOptions& options, const std::string& stage) {
  MaxentOptions maxent;
  maxent.prior.variance = options.variance;
  maxent.optimizer = options.optimizer;
  maxent.tolerance = options.tolerance;
  maxent.max_passes = options.max_passes;
  if (options.on_progress) {
    // The logarithm of the gap falls about evenly, from 1 to the tolerance.
    maxent.on_iteration = [options, stage, most = 0.0](double, double gap) mutable {
      const double done = std::log(std::max(gap, 1e-300)) / std::log(options.tolerance);
      most = std::clamp(done, most, 1.0);
      options.on_progress({stage, most});
    };
  }
  return maxent;
}

void report_fit(const MaxentFit& fit, const AdaptationOptions& options) {
  if (options.on_fit) options.on_fit(fit);
  if (options.strict && !fit.converged) {
    throw NotConverged(
        fmt::format("training stopped after {} passes at an estimated relative distance of "
                    "{:.2g}, above the tolerance {:.2g}",
                    fit.passes, fit.gap, options.tolerance),
        "raise --max-passes or --tolerance, or leave out --strict");
  }
}

}  // namespace megadapt
