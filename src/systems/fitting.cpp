#include "systems/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "execution/collectives.hpp"
#include "optimize/information_prior.hpp"
#include "systems/fit_memory.hpp"
#include "systems/systems.hpp"

namespace megadapt {

MaxentOptions maxent_options(const Options& options, const FitContext& context,
                             const std::string& stage) {
  MaxentOptions maxent;
  maxent.prior.variance = options.variance;
  copy_solver(options, maxent);
  if (context.on_progress) {
    // The logarithm of the gap falls about linearly, from a gap of 1 to the tolerance.
    maxent.on_iteration = [report = context.on_progress, tolerance = options.tolerance,
                           stage, most = 0.0](double, double gap) mutable {
      const double done = std::log(std::max(gap, 1e-300)) / std::log(tolerance);
      most = std::clamp(done, most, 1.0);
      report({stage, most});
    };
  }
  return maxent;
}

void report_fit(const MaxentFit& fit, const Options& options, const FitContext& context) {
  if (context.on_fit) context.on_fit(fit);
  if (context.strict && !fit.converged) {
    throw NotConverged(
        fmt::format("training stopped after {} passes at an estimated relative distance of "
                    "{:.2g}, above the tolerance {:.2g}",
                    fit.passes, fit.gap, options.tolerance),
        "raise --max-passes or --tolerance, or leave out --strict");
  }
}

void report_mixture(const Mixture& fitted, double gap, const Options& options,
                    const FitContext& context) {
  MaxentFit whole;
  whole.objective = -fitted.objective;
  whole.gap = gap;
  whole.converged = true;
  report_fit(whole, options, context);
}

std::vector<double> first_shares(const Dataset& data, const Options& options) {
  std::vector<double> share(data.num_domains(), options.first_share);
  for (const auto& [name, value] : options.first_share_of) {
    const std::uint32_t d = data.domains().find(name);
    if (d == kNone) {
      throw UsageError(
          fmt::format("--pi-init names the unknown domain '{}'", name),
          fmt::format("the domains are {}", fmt::join(data.domains().names(), ", ")));
    }
    share[d] = value;
  }
  return share;
}

std::vector<std::size_t> all_rows(const Dataset& data) {
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

std::vector<std::size_t> source_rows(const Dataset& data, std::uint32_t target,
                                     std::string_view system, Communicator& ranks) {
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.domain[n] != target) rows.push_back(n);
  }
  if (summed(ranks, static_cast<double>(rows.size())) == 0) {
    throw UsageError(fmt::format("{} needs rows of a domain other than the target", system),
                     "add --domain NAME=FILE for a source domain, or use --system onlyi");
  }
  return rows;
}

double total_weight(const Dataset& data, RowIds rows, Communicator& ranks) {
  double total = 0;
  for (const std::size_t n : rows) total += static_cast<double>(data.weight[n]);
  return summed(ranks, total);
}

std::vector<std::uint32_t> source_domains(const Dataset& data, std::uint32_t target,
                                          std::string_view system, Communicator& ranks) {
  source_rows(data, target, system, ranks);  // throws if there are none
  const std::vector<double> rows = rows_per_domain(data, ranks);
  std::vector<std::uint32_t> domains;
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    if (d != target && rows[d] > 0) domains.push_back(d);
  }
  return domains;
}

Options for_source(const Options& options) {
  Options source = options;
  source.variance = options.source_variance.value_or(options.variance);
  return source;
}

FitContext quiet(FitContext context) {
  context.on_progress = {};
  context.on_fit = {};
  context.on_step = {};
  context.on_members = {};
  context.checkpoint.clear();
  return context;
}

std::shared_ptr<const std::vector<double>> fit_source(const Dataset& data, RowIds rows,
                                                      const Options& options,
                                                      const FitContext& context) {
  // No warm start here: cached weights must not depend on the order of fits.
  FitContext cold = context;
  cold.warm_starts.reset();
  if (!context.source_fits) {
    return std::make_shared<const std::vector<double>>(
        fit_weights(data, rows, {}, {}, options, cold));
  }
  const auto fit = [&] {
    MaxentFit fitted;
    cold.on_fit = [&](const MaxentFit& one) { fitted = one; };
    fitted.weights = fit_weights(data, rows, {}, {}, options, cold);
    return fitted;
  };
  std::set<std::uint32_t> domains;
  for (const std::size_t n : rows) domains.insert(data.domain[n]);
  const std::string key =
      fmt::format("{} {} {} {} {} {} {}", fmt::join(domains, ","), options.variance,
                  options.prior_exponent, options.tolerance, options.max_passes,
                  static_cast<int>(options.optimizer), static_cast<int>(options.precision));
  const SourceFits::Fit fitted = context.source_fits->get(key, fit, context.on_fit);
  return {fitted, &fitted->weights};
}

std::vector<SourceModel> source_models(const Dataset& data, std::uint32_t target,
                                       const System& system, const Options& options,
                                       const FitContext& context) {
  std::vector<SourceModel> models;
  if (context.former) {
    models.push_back({"former", std::make_unique<FormerPredictor>(
                                    context.former->predictor, context.former->domain,
                                    data.num_labels(), data.num_features())});
    return models;
  }
  for (const std::uint32_t d :
       source_domains(data, target, system.name(), context.exec.ranks())) {
    models.push_back({std::string(data.domains().name(d)),
                      std::make_unique<MaxentPredictor>(
                          data.num_labels(), *fit_source(data, data.rows_of(d),
                                                         for_source(options), context))});
  }
  return models;
}

void require_former(const System& system, const FormerModel& former) {
  if (!system.traits().needs_former_weights || !former.weights.empty()) return;
  throw UsageError(
      fmt::format("{} needs the weights of one linear model; the old model is a {}",
                  system.name(), former.predictor->kind()),
      "use another system");
}

std::span<const double> warm_start(const FitContext& context) {
  if (!context.warm_starts) return {};
  return context.warm_starts->weights;
}

std::vector<double> solve(const MaxentProblem& problem, std::span<const double> row_weight,
                          const GaussianPrior& prior, std::span<const double> start,
                          const Options& options, const FitContext& context) {
  MaxentOptions maxent = maxent_options(options, context, "training");
  maxent.prior = prior;
  maxent.start = start;
  MaxentFit fit = problem.fit(row_weight, maxent, context.exec);
  report_fit(fit, options, context);
  return std::move(fit.weights);
}

std::vector<double> fit_weights(const Dataset& data, RowIds rows,
                                std::span<const double> row_weight,
                                std::span<const double> mean, const Options& options,
                                const FitContext& context) {
  const MaxentProblem problem(data, rows, context.exec);
  const std::vector<double> factor = information_factor(
      data, rows, row_weight, options.prior_exponent, context.exec.ranks());
  std::vector<double> weights = solve(problem, row_weight, {options.variance, mean, factor},
                                      warm_start(context), options, context);
  if (context.warm_starts) context.warm_starts->weights = weights;
  return weights;
}

PredictorPtr fit_plain(const Dataset& data, RowIds rows, std::span<const double> row_weight,
                       const Options& options, const FitContext& context) {
  return std::make_unique<MaxentPredictor>(
      data.num_labels(), fit_weights(data, rows, row_weight, {}, options, context));
}

}  // namespace megadapt
