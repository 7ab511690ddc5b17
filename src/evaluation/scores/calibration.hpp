#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Predictions for labelled rows, as a temperature is fitted to them.
struct HeldOutRows {
  std::span<const double> probability;    // [N][Y]
  std::vector<std::uint32_t> label = {};  // [N], below Y
  std::vector<double> weight = {};        // [N]
  std::vector<std::uint32_t> fold = {};   // [N]; at least two different ones
  std::vector<std::uint32_t> unit = {};   // [N]; rows of one unit are not independent
  std::uint32_t num_labels = 0;
};

/// Returns the temperature in [1/16, 16] with the lowest log loss: it minimises
///     sum_n w_n (log sum_y exp(b s_ny) - b s_n,label),   s = log p, b = 1 / temperature,
/// which is convex in b. `use` says which rows count.
double fitted_temperature(const HeldOutRows& rows, const std::vector<bool>& use);

/// Fits a temperature to all rows and measures it on each fold by the other folds' rows.
/// It is kept if the mean gain is larger than its standard error over units.
Calibration calibrate(const HeldOutRows& rows);

}  // namespace megadapt
