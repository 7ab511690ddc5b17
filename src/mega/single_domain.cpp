#include <cmath>

#include "mega/fit_mixture.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

Mixture fit_single_domain(const Dataset& data, const MixtureOptions& options,
                          const Execution& exec) {
  MaxentOptions maxent;
  maxent.prior.variance = options.variance;
  copy_solver(options, maxent);
  MaxentFit fit = MaxentProblem(data, data.rows_of(0), exec).fit({}, maxent, exec);
  if (options.on_fit) options.on_fit(fit);
  Mixture mixture;
  const std::size_t F = data.num_features();
  mixture.domain.push_back(
      {std::vector<double>(F * data.num_labels()), std::vector<double>(F, 0.5)});
  mixture.general = {std::move(fit.weights), std::vector<double>(F, 0.5)};
  mixture.objective = -fit.objective;
  mixture.general_share = {1};
  mixture.gate.intercept = {INFINITY};
  mixture.gate.weights.assign(F, 0);
  return mixture;
}

}  // namespace megadapt
