#pragma once

#include <memory>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Tunes systems on one data set: splits and source fits are shared. Several systems may be
/// tuned side by side.
class Tuner {
 public:
  /// `data` and `exec` must outlive the tuner. `source_fits` may be shared with tuners of
  /// the same source rows.
  Tuner(const Dataset& data, std::uint32_t target, const TuneOptions& options,
        std::shared_ptr<SourceFits> source_fits, const Execution& exec);

  Tuned tune(const System& system) const;
  /// The combination of `members`, tuned already: weights by EM on what they predict for
  /// held-out rows, unless they are known.
  Tuned combine(const System& system, const std::vector<Tuned>& members) const;

  /// For a fit by `exec`, with what fits on the tuner's data share.
  FitContext context(const Execution& exec) const;

 private:
  friend class Search;
  Tuned as_known(const System& system) const;
  std::vector<double> member_weights(const System& system,
                                     const std::vector<Tuned>& members) const;

  const Dataset& data_;
  std::uint32_t target_;
  TuneOptions options_;
  std::shared_ptr<SourceFits> source_fits_;
  const Execution& exec_;
  std::vector<Split> splits_;      // none when there is too little to hold out
  std::vector<std::size_t> rows_;  // all held-out rows, in the order of the splits
  std::size_t duplicates_ = 0;
};

/// Whether fits of this size are better run side by side, one thread each, than one after
/// another with all threads inside.
bool side_by_side(const Dataset& data, const Execution& exec);

}  // namespace megadapt
