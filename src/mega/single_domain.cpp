#include <cmath>

#include "mega/fit_mixture.hpp"
#include "optimize/information_prior.hpp"

namespace megadapt {

Mixture fit_single_domain(const Dataset& data, const MixtureOptions& options,
                          const Execution& exec) {
  const std::vector<std::size_t> rows = data.rows_of(0);
  const MaxentProblem problem(data, rows, exec);
  const std::vector<double> factor =
      information_factor(data, rows, {}, options.prior_exponent, exec.ranks());
  MaxentOptions maxent;
  maxent.prior = {options.variance, {}, factor};
  copy_solver(options, maxent);
  MaxentFit fit = problem.fit({}, maxent, exec);
  if (options.on_fit) options.on_fit(fit);
  Mixture mixture;
  const std::size_t F = data.num_features();
  mixture.domain.push_back(
      {std::vector<double>(F * data.num_labels()), std::vector<double>(F, 0.5)});
  mixture.general = {std::move(fit.weights), std::vector<double>(F, 0.5)};
  mixture.objective = -fit.objective;
  mixture.general_share = {1};
  mixture.mean_general = {1};
  mixture.end.settled = true;
  mixture.gate.intercept = {INFINITY};
  mixture.gate.weights.assign(F, 0);
  return mixture;
}

}  // namespace megadapt
