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
        tiles(data, num_features, rows, stride, exec),
        label(std::move(labels)),
        soft(std::move(soft_labels)),
        weight(rows.size(), 1) {}

  std::size_t num_rows() const { return label.size(); }

  // [F][Y] of the data set -> [features in use][stride]; empty if `weights` is empty.
  template <class Real, class From>
  std::vector<Real> gather(std::span<const From> weights) const {
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

  // [F] of the data set -> [features in use][stride]; padding is 1.
  template <class Real>
  std::vector<Real> gather_per_feature(std::span<const double> values) const {
    if (values.empty()) return {};
    std::vector<Real> packed(std::size_t{tiles.num_features()} * stride, Real(1));
    for (std::size_t f = 0; f < tiles.num_features(); ++f) {
      const auto value = static_cast<Real>(values[tiles.original_feature()[f]]);
      for (std::size_t y = 0; y < num_labels; ++y) packed[f * stride + y] = value;
    }
    return packed;
  }

  // The inverse of gather(); leaves the weights of features not in use unchanged.
  template <class Real, class To>
  void scatter(const std::vector<Real>& packed, std::vector<To>& weights) const {
    for (std::size_t f = 0; f < tiles.num_features(); ++f) {
      const std::size_t to = std::size_t{tiles.original_feature()[f]} * num_labels;
      for (std::size_t y = 0; y < num_labels; ++y) {
        weights[to + y] = static_cast<To>(packed[f * stride + y]);
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
