#pragma once

#include <string>

#include "megadapt/systems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

/// Returns the settings that every system passes to a maximum entropy fit: prior, tolerance
/// and optimiser. Progress is reported under the name `stage`.
MaxentOptions maxent_options(const Options& options, const FitContext& context,
                             const std::string& stage);

/// Reports how a fit went to context.on_fit. Throws NotConverged if the context is strict
/// and the fit did not converge.
void report_fit(const MaxentFit& fit, const Options& options, const FitContext& context);

/// Reports a whole mixture to context.on_fit. Call it after report_fit() for each expert;
/// `gap` is that of the last expert's fit.
void report_mixture(const Mixture& fitted, double gap, const Options& options,
                    const FitContext& context);

/// Returns the initial pi [K] of every domain, as --pi-init gives it. Throws UsageError for
/// a domain that the data does not have.
std::vector<double> first_shares(const Dataset& data, const Options& options);

std::vector<std::size_t> all_rows(const Dataset& data);

/// Returns the rows of every domain but the target. Throws UsageError, naming the system,
/// if no rank has any.
std::vector<std::size_t> source_rows(const Dataset& data, std::uint32_t target,
                                     std::string_view system, Communicator& ranks);

/// Returns the sum of the rows' weights over all ranks.
double total_weight(const Dataset& data, RowIds rows, Communicator& ranks);

/// Returns the domains, except the target, that have rows on any rank. Throws like
/// source_rows.
std::vector<std::uint32_t> source_domains(const Dataset& data, std::uint32_t target,
                                          std::string_view system, Communicator& ranks);

/// Returns the options for a fit on source rows: `options` with the source's variance.
Options for_source(const Options& options);

/// Returns the context without callbacks and checkpoint.
FitContext quiet(FitContext context);

/// Returns the weights [F][Y] of a model fitted to source rows with prior mean 0. Cached in
/// context.source_fits, by the domains of the rows, so pass all rows of a domain or none.
std::shared_ptr<const std::vector<double>> fit_source(const Dataset& data, RowIds rows,
                                                      const Options& options,
                                                      const FitContext& context);

/// A model of one source domain, or the former model that stands for all of them.
struct SourceModel {
  std::string name;
  PredictorPtr predictor;
};
std::vector<SourceModel> source_models(const Dataset& data, std::uint32_t target,
                                       const System& system, const Options& options,
                                       const FitContext& context);

/// Returns the weights at which the last fit on the same rows ended; empty if there is none.
std::span<const double> warm_start(const FitContext& context);

/// Returns the weights that solve a problem, and reports the fit. An empty `row_weight`
/// means the data set's own weights, an empty `start` the prior's mean.
std::vector<double> solve(const MaxentProblem& problem, std::span<const double> row_weight,
                          const GaussianPrior& prior, std::span<const double> start,
                          const Options& options, const FitContext& context);

/// Returns the weights [F][Y] of a maximum entropy model of `rows`. An empty `mean` is 0.
/// The prior's precisions follow the information in these rows, as --prior-exponent says.
std::vector<double> fit_weights(const Dataset& data, RowIds rows,
                                std::span<const double> row_weight,
                                std::span<const double> mean, const Options& options,
                                const FitContext& context);

/// Like fit_weights with mean 0, as a predictor.
PredictorPtr fit_plain(const Dataset& data, RowIds rows, std::span<const double> row_weight,
                       const Options& options, const FitContext& context);

}  // namespace megadapt
