#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// A system trained with growing numbers of target labels, which were added at random or as
/// `megadapt next` chooses them.
struct StrategyCurve {
  std::string system;
  std::string left_out = {};  ///< why it could not run; empty if it did
  std::vector<CurvePoint> random = {};
  std::vector<CurvePoint> next = {};
  double labels = 0;    ///< at the largest size, of the random order
  double accuracy = 0;  ///< of the random order with that many labels
  /// How many labels `next` needs for that accuracy, as a share of `labels`. Above 1 if
  /// `next` is worse than the random order.
  double share = 1;
  std::array<double, 2> interval{1, 1};  ///< 95%, bootstrap over the repeats
};

struct Strategies {
  std::vector<StrategyCurve> systems;
  std::vector<std::size_t> sizes;  ///< ascending
  int repeats = 0;
  std::size_t tested = 0;  ///< number of test rows, of all repeats if they differ
  std::string verdict;     ///< a plain sentence for each system
};

/// Simulates labelling: starts with random rows of the target, and adds labels in batches,
/// once at random and once as RowJudge and choose_rows() say. The labels of the other rows
/// are hidden. After each batch the system is fitted anew and tested.
///
///     const Strategies both = compare_strategies(train, target, nullptr, {}, exec);
///
/// Reads the same options as learning_curves(), except `stop`. Without systems it takes
/// `pool`. Without sizes it takes up to eight, and the largest is half of the rows. Rows
/// are labelled one by one, and sentences as a whole. Without `test`, repeat r holds out
/// fold r of the target's rows. The result does not depend on the number of threads.
Strategies compare_strategies(const Dataset& train, std::uint32_t target,
                              const Dataset* test, const CurveOptions& options,
                              const Execution& exec);

}  // namespace megadapt
