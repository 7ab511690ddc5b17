#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// The columns of a problem's matrix. A column stands for one feature, or for several that
/// have the same rows and values: only the sum of their weights matters for the scores.
///
/// Features with Gaussian priors of means mu_i and variances v_i that have the same column
/// become one feature of mean sum mu_i and variance V = sum v_i. If its optimal weight is u,
/// theirs are mu_i + (v_i / V) (u - sum mu_i): of all weights with the sum u, these have the
/// largest prior probability.
struct Columns {
  std::vector<std::uint32_t> column_of;  ///< [F]; kNone: no chosen row has the feature
  std::vector<std::uint32_t> feature;    ///< those of each column, ascending
  std::vector<std::uint32_t> begin{0};   ///< [columns + 1]; the first of each column
  std::vector<double> count;             ///< [columns]; the rows of all ranks that have it

  std::uint32_t size() const { return static_cast<std::uint32_t>(count.size()); }
  std::span<const std::uint32_t> features(std::size_t column) const {
    return std::span(feature).subspan(begin[column], begin[column + 1] - begin[column]);
  }
};

/// A column for each feature that a chosen row has on any rank.
Columns separate_columns(const SparseRows& data, std::uint32_t num_features, RowIds chosen,
                         const Execution& exec);

/// The same, but features whose columns are equal on every rank share one.
Columns merged_columns(const SparseRows& data, std::uint32_t num_features, RowIds chosen,
                       const Execution& exec);

}  // namespace megadapt
