#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "megadapt/models.hpp"
#include "megadapt/training.hpp"
#include "training/minimize.hpp"

namespace megadapt {

struct MaxentProblem::Impl {
  Impl(const Dataset& data, std::span<const std::size_t> rows, const Execution& exec)
      : num_features(data.num_features()),
        num_labels(data.num_labels()),
        stride(label_stride(num_labels)),
        tiles(data.rows, num_features, rows, stride, exec) {
    for (const std::size_t n : rows) {
      if (data.label[n] == kNone) {
        throw UsageError("a row to train on has no label",
                         "label every row, or leave it out");
      }
      label.push_back(data.label[n]);
      weight.push_back(data.weight[n]);
    }
  }

  template <class Real>
  MaxentFit fit(std::span<const double> row_weight, const MaxentOptions& options,
                const Execution& exec) const;
  template <class Real>
  std::vector<Real> gather(std::span<const double> weights) const;

  std::uint32_t num_features;
  std::uint32_t num_labels;
  std::uint32_t stride;
  TiledRows tiles;
  std::vector<std::uint32_t> label;  // [rows]
  std::vector<double> weight;        // [rows]
};

// [F][Y] of the data set -> [our features][stride]; nothing where there is nothing.
template <class Real>
std::vector<Real> MaxentProblem::Impl::gather(std::span<const double> weights) const {
  if (weights.empty()) return {};
  std::vector<Real> packed(std::size_t{tiles.num_features()} * stride);
  for (std::size_t f = 0; f < tiles.num_features(); ++f) {
    const std::size_t from = std::size_t{tiles.original_feature()[f]} * num_labels;
    for (std::size_t y = 0; y < num_labels; ++y) {
      packed[f * stride + y] = static_cast<Real>(weights[from + y]);
    }
  }
  return packed;
}

template <class Real>
MaxentFit MaxentProblem::Impl::fit(std::span<const double> row_weight,
                                   const MaxentOptions& options,
                                   const Execution& exec) const {
  const std::span<const double> given = row_weight.empty() ? weight : row_weight;
  const std::vector<Real> weights(given.begin(), given.end());
  const std::vector<Real> mean = gather<Real>(options.prior.mean);
  std::vector<Real> point =
      gather<Real>(options.start.empty() ? options.prior.mean : options.start);
  point.resize(std::size_t{tiles.num_features()} * stride);

  MaxentObjective<Real> objective(tiles, label, weights, num_labels, options.prior.variance,
                                  mean, exec);
  const auto minimize = options.optimizer == Optimizer::lbfgs ? minimize_lbfgs<Real>
                                                              : minimize_newton_cg<Real>;
  const Minimum minimum = minimize(
      objective, point, {options.tolerance, options.max_passes, options.on_iteration});
  if (!std::isfinite(minimum.objective)) {
    throw NumericError("the objective is not finite",
                       "check for huge feature values, or use a smaller --variance");
  }

  MaxentFit fit;
  fit.objective = minimum.objective;
  fit.gap = minimum.gap;
  fit.converged = minimum.converged;
  fit.passes = objective.passes();
  fit.weights.resize(std::size_t{num_features} * num_labels);
  if (!options.prior.mean.empty()) {
    fit.weights.assign(options.prior.mean.begin(), options.prior.mean.end());
  }
  for (std::size_t f = 0; f < tiles.num_features(); ++f) {
    const std::size_t to = std::size_t{tiles.original_feature()[f]} * num_labels;
    for (std::size_t y = 0; y < num_labels; ++y)
      fit.weights[to + y] = point[f * stride + y];
  }
  return fit;
}

MaxentProblem::MaxentProblem(const Dataset& data, std::span<const std::size_t> rows,
                             const Execution& exec)
    : impl_(std::make_unique<Impl>(data, rows, exec)) {}
MaxentProblem::~MaxentProblem() = default;
MaxentProblem::MaxentProblem(MaxentProblem&&) noexcept = default;

MaxentFit MaxentProblem::fit(std::span<const double> weights, const MaxentOptions& options,
                             const Execution& exec) const {
  return options.precision == Precision::double_
             ? impl_->fit<double>(weights, options, exec)
             : impl_->fit<float>(weights, options, exec);
}

}  // namespace megadapt
