#include <cmath>

#include "optimize/maxent.hpp"
#include "optimize/maxent_problem_impl.hpp"
#include "optimize/minimize.hpp"

namespace megadapt {
namespace {

std::vector<std::uint32_t> labels_of(const Dataset& data, RowIds rows) {
  std::vector<std::uint32_t> label;
  label.reserve(rows.size());
  for (const std::size_t n : rows) {
    if (data.label[n] == kNone) {
      throw UsageError("a row to train on has no label",
                       "label every row, or leave it out");
    }
    label.push_back(data.label[n]);
  }
  return label;
}

}  // namespace

template <class Real>
MaxentFit MaxentProblem::Impl::fit(std::span<const double> row_weight,
                                   const MaxentOptions& options,
                                   const Execution& exec) const {
  MaxentFit fit;
  fit.weights.resize(std::size_t{num_features} * num_labels);
  if (!options.prior.mean.empty()) {
    fit.weights.assign(options.prior.mean.begin(), options.prior.mean.end());
  }
  const std::vector<Real> weights = row_weights<Real>(row_weight);
  double total = 0;
  for (const Real w : weights) total += static_cast<double>(w);
  exec.ranks().sum({&total, 1});
  if (!std::isfinite(total)) throw NumericError("a row's weight is not finite");
  if (total <= 0) {  // only the prior is left: return its mean
    fit.converged = true;
    return fit;
  }

  const std::vector<Real> mean = gather<Real>(options.prior.mean);
  std::vector<Real> point =
      gather<Real>(options.start.empty() ? options.prior.mean : options.start);
  point.resize(std::size_t{tiles.num_features()} * stride);
  const std::vector<Real> factor = column_factor<Real>(options.prior.factor);
  MaxentObjective<Real> objective(tiles, label, weights, num_labels, options.prior.variance,
                                  mean, factor, exec, kMostKeptBytes, soft);
  const auto minimize = options.optimizer == Optimizer::lbfgs
                            ? minimize_lbfgs<MaxentObjective<Real>, Real>
                            : minimize_newton_cg<Real>;
  const Minimum minimum = minimize(
      objective, point,
      {options.tolerance, options.max_passes, options.min_gain, options.on_iteration});
  if (!std::isfinite(minimum.objective)) {
    throw NumericError("the objective is not finite",
                       "check for huge feature values, or use a smaller --variance");
  }
  fit.objective = minimum.objective;
  fit.gap = minimum.gap;
  fit.converged = minimum.converged;
  fit.passes = objective.passes();
  fit.work =
      static_cast<double>(fit.passes) * static_cast<double>(tiles.begin()[num_rows()]);
  scatter(point, options.prior.factor, fit.weights);
  return fit;
}

template <class Real>
std::vector<double> MaxentProblem::Impl::log_likelihood(std::span<const double> weights,
                                                        const Execution& exec) const {
  const std::vector<Real> packed = gather<Real>(weights);
  const Kernels<Real>& kernels = kernels_for<Real>(num_labels);
  std::vector<double> result(num_rows());
  exec.parallel_for(num_rows(), kRowsPerChunk, [&](std::size_t first, std::size_t last) {
    std::vector<Real> score((last - first) * stride);
    const std::vector<Real> unit(last - first, 1);
    kernels.scores(tiles.begin(), tiles.feature(), tiles.value(), packed.data(), stride,
                   first, last, score.data());
    std::vector<double> more(soft.empty() ? 0 : last - first);
    if (!soft.empty()) {
      soft_loss(soft, first, last, label.data() + first, unit.data(), score.data(), stride,
                more.data());
    }
    kernels.softmax(score.data(), label.data() + first, unit.data(), last - first,
                    num_labels, stride, result.data() + first);
    for (std::size_t i = 0; i < more.size(); ++i) result[first + i] += more[i];
  });
  return result;
}

MaxentProblem::MaxentProblem(const Dataset& data, RowIds rows, const Execution& exec)
    : MaxentProblem(data.rows, data.num_features(), rows, labels_of(data, rows),
                    data.num_labels(), exec, data.soft.select(rows)) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    impl_->weight[i] = static_cast<double>(data.weight[rows[i]]);
  }
}

MaxentProblem::MaxentProblem(const SparseRows& data, std::uint32_t num_features,
                             RowIds rows, std::vector<std::uint32_t> label,
                             std::uint32_t num_labels, const Execution& exec,
                             SoftLabels soft)
    : impl_(std::make_unique<Impl>(data, num_features, rows, std::move(label), num_labels,
                                   std::move(soft), exec)) {}

MaxentProblem::~MaxentProblem() = default;
MaxentProblem::MaxentProblem(MaxentProblem&&) noexcept = default;

MaxentFit MaxentProblem::fit(std::span<const double> row_weight,
                             const MaxentOptions& options, const Execution& exec) const {
  return options.precision == Precision::double_
             ? impl_->fit<double>(row_weight, options, exec)
             : impl_->fit<float>(row_weight, options, exec);
}

std::vector<double> MaxentProblem::log_likelihood(std::span<const double> weights,
                                                  Precision precision,
                                                  const Execution& exec) const {
  return precision == Precision::double_ ? impl_->log_likelihood<double>(weights, exec)
                                         : impl_->log_likelihood<float>(weights, exec);
}

}  // namespace megadapt
