#pragma once

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Where a search saves work.
struct Thrift {
  double tolerance;           ///< of its fits, unless the options ask for a looser one
  int psi_sweeps;             ///< of each round of megam, at most
  std::size_t source_rows;    ///< it uses this many source rows per target row; 0: all
  std::size_t fewest_source;  ///< it uses at least this many source rows
  bool races;                 ///< it drops settings that are worse on the first folds
  bool repeats;               ///< it tries options a second time, numbers by smaller steps
};

Thrift thrift_of(Effort effort);

/// Returns the share of the source's rows that a search uses: `given`, or what `thrift`
/// says.
double source_share(const Dataset& data, std::uint32_t target, const Thrift& thrift,
                    std::optional<double> given);

/// Returns a random sample of the source's rows and all rows of the target, as a flag for
/// each row. Every source domain keeps `share` of its rows of positive weight, at least one.
/// The sample does not depend on the target's rows.
std::vector<bool> sample_source(const Dataset& data, std::uint32_t target, double share,
                                std::uint64_t seed);

/// Returns the weight for a source row of a sample, if `weight` is right for a source row
/// when all of them are used. `share` is the sample's share of the source rows.
///
/// Let d^2 be the mean squared difference of a parameter between source and target. An
/// estimate from n source rows then has the mean squared error 1/n + d^2. One from a single
/// target row has the error 1. So the best weight of a source row is w = 1 / (1 + n d^2). A
/// sample has s n rows and the same d^2, so its weight w_s follows from
/// 1 / w_s - 1 = s (1 / w - 1).
double weight_in_sample(double weight, double share);

}  // namespace megadapt
