#pragma once

#include <vector>

#include "megadapt/model.hpp"
#include "megadapt/training.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "optimize/tiled_rows.hpp"

namespace megadapt {

struct MaxentProblem::Impl {
  Impl(const SparseRows& data, std::uint32_t features, RowIds rows,
       std::vector<std::uint32_t> labels, std::uint32_t how_many_labels,
       SoftLabels soft_labels, const Execution& exec)
      : num_features(features),
        num_labels(how_many_labels),
        stride(label_stride(num_labels)),
        tiles(data, merged_columns(data, num_features, rows, exec), rows, stride, exec),
        label(std::move(labels)),
        soft(std::move(soft_labels)),
        weight(rows.size(), 1) {}

  std::size_t num_rows() const { return label.size(); }

  // Sums of the weights of each column's features: [F][Y] of the data set ->
  // [columns][stride]; empty if `weights` is empty.
  template <class Real>
  std::vector<Real> gather(std::span<const double> weights) const {
    if (weights.empty()) return {};
    std::vector<Real> packed(std::size_t{tiles.num_features()} * stride);
    for (std::size_t c = 0; c < tiles.num_features(); ++c) {
      for (std::size_t y = 0; y < num_labels; ++y) {
        packed[c * stride + y] = static_cast<Real>(sum_of(weights, c, y));
      }
    }
    return packed;
  }

  double sum_of(std::span<const double> weights, std::size_t column, std::size_t y) const {
    double sum = 0;
    for (const std::size_t f : tiles.columns().features(column)) {
      sum += weights[f * num_labels + y];
    }
    return sum;
  }

  // The precision of each column's weights if those of its features have the precisions
  // `factor` [F]; [columns][stride], padding is 1, empty if all are 1.
  template <class Real>
  std::vector<Real> column_factor(std::span<const double> factor) const {
    const bool merged = tiles.columns().feature.size() > tiles.num_features();
    if (factor.empty() && !merged) return {};
    std::vector<Real> packed(std::size_t{tiles.num_features()} * stride, Real(1));
    for (std::size_t c = 0; c < tiles.num_features(); ++c) {
      const auto value = static_cast<Real>(1 / variance_of(factor, c));
      for (std::size_t y = 0; y < num_labels; ++y) packed[c * stride + y] = value;
    }
    return packed;
  }

  double variance_of(std::span<const double> factor, std::size_t column) const {
    const auto features = tiles.columns().features(column);
    if (factor.empty()) return static_cast<double>(features.size());
    double sum = 0;
    for (const std::uint32_t f : features) sum += 1 / factor[f];
    return sum;
  }

  // The inverse of gather(): moves the weights of a column's features, which are at the
  // prior mean, by their shares of the column's variance (columns.hpp). Leaves the weights
  // of features not in use unchanged.
  template <class Real>
  void scatter(const std::vector<Real>& packed, std::span<const double> factor,
               std::vector<double>& weights) const {
    for (std::size_t c = 0; c < tiles.num_features(); ++c) {
      const double variance = variance_of(factor, c);
      for (std::size_t y = 0; y < num_labels; ++y) {
        const double moved =
            static_cast<double>(packed[c * stride + y]) - sum_of(weights, c, y);
        for (const std::size_t f : tiles.columns().features(c)) {
          weights[f * num_labels + y] +=
              moved / (factor.empty() ? variance : variance * factor[f]);
        }
      }
    }
  }

  template <class Real>
  std::vector<Real> row_weights(std::span<const double> given) const {
    const std::span<const double> chosen = given.empty() ? std::span(weight) : given;
    return {chosen.begin(), chosen.end()};
  }

  template <class Real>
  MaxentFit fit(std::span<const double> row_weight, const MaxentOptions& options,
                const Execution& exec) const;

  template <class Real>
  std::vector<double> log_likelihood(std::span<const double> weights,
                                     const Execution& exec) const;

  std::uint32_t num_features;
  std::uint32_t num_labels;
  std::uint32_t stride;
  TiledRows tiles;
  std::vector<std::uint32_t> label;  // [rows]
  SoftLabels soft;                   // of the problem's rows
  std::vector<double> weight;        // [rows]
};

}  // namespace megadapt
