#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// The target's rows that one repeat of a curve may train on, and the rows that it is tested
/// on: all test rows, or a fold of the target's.
struct Repeat {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> held_out;
  std::size_t pool = 0;  ///< repeats with the same pool draw from the same rows
};

/// Returns the repeats that `options` ask for, with the rows in the order of the data.
std::vector<Repeat> deal_repeats(const Dataset& train, std::uint32_t target,
                                 const Dataset* test, const CurveOptions& options);

/// The number of different rows that the repeats are tested on.
std::size_t count_tested(const std::vector<Repeat>& repeats, std::size_t rows);

/// The scores of one fit.
struct CurveScores {
  double examples = 0;
  double accuracy = 0;
  double f1 = 0;
  double log_loss = 0;
};

/// Means and standard deviations over the repeats.
CurvePoint point_of(const std::vector<CurveScores>& repeats);

/// Options whose best value depends on the number of target rows. They are tuned for each
/// sample, not once for all sizes.
const std::vector<std::string>& options_of_one_size();

}  // namespace megadapt
