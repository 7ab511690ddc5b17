#pragma once

#include <string>

#include "megadapt/systems.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"

namespace megadapt {

/// What every system passes on to a maximum entropy fit: prior, tolerance, optimiser, and
/// progress under the name of `stage`.
MaxentOptions maxent_options(const Options& options, const FitContext& context,
                             const std::string& stage);

/// Tells the caller how a fit went, the mixture's after its experts'; throws NotConverged
/// where the context is strict.
void report_fit(const MaxentFit& fit, const Options& options, const FitContext& context);

/// The same for a whole mixture, after its experts; `gap` is that of the last expert.
void report_mixture(const Mixture& fitted, double gap, const Options& options,
                    const FitContext& context);

/// pi of every domain to begin with, as --pi-init gives it: [K]. UsageError for a domain
/// that the data does not have.
std::vector<double> first_shares(const Dataset& data, const Options& options);

std::vector<std::size_t> all_rows(const Dataset& data);

/// Rows of every domain but the target. UsageError, naming the system, when there are none,
/// on any rank.
std::vector<std::size_t> source_rows(const Dataset& data, std::uint32_t target,
                                     std::string_view system, Communicator& ranks);

/// Over all ranks.
double total_weight(const Dataset& data, std::span<const std::size_t> rows,
                    Communicator& ranks);

/// The domains other than the target that have rows, on any rank.
std::vector<std::uint32_t> source_domains(const Dataset& data, std::uint32_t target,
                                          std::string_view system, Communicator& ranks);

/// Options for a fit on source rows: the same with the source's variance.
Options for_source(const Options& options);

/// The same context without anybody to tell.
FitContext quiet(FitContext context);

/// The weights [F][Y] of a model of `rows`, none of them the target's, with mean 0;
/// remembered in context.source_fits.
std::shared_ptr<const std::vector<double>> fit_source(const Dataset& data,
                                                      std::span<const std::size_t> rows,
                                                      const Options& options,
                                                      const FitContext& context);

/// A model of each source domain, or the former model that stands for them.
struct SourceModel {
  std::string name;
  std::unique_ptr<Predictor> predictor;
};
std::vector<SourceModel> source_models(const Dataset& data, std::uint32_t target,
                                       const System& system, const Options& options,
                                       const FitContext& context);

/// The weights [F][Y] of a maximum entropy model on `rows`, with the prior mean `mean` or
/// 0.
std::vector<double> fit_weights(const Dataset& data, std::span<const std::size_t> rows,
                                std::span<const double> row_weight,
                                std::span<const double> mean, const Options& options,
                                const FitContext& context);

/// The same as a predictor, with mean 0.
std::unique_ptr<Predictor> fit_plain(const Dataset& data, std::span<const std::size_t> rows,
                                     std::span<const double> row_weight,
                                     const Options& options, const FitContext& context);

}  // namespace megadapt
