#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/tuning/thrift.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt {

/// Tunes systems on one data set; they share the splits, the sample of the source's rows
/// and the source fits. Several systems may be tuned at the same time.
class Tuner {
 public:
  /// `data` and `exec` must outlive the tuner. Tuners with the same source rows may share
  /// `source_fits`.
  Tuner(const Dataset& data, std::uint32_t target, const TuneOptions& options,
        std::shared_ptr<SourceFits> source_fits, const Execution& exec);

  /// Tunes a system, and the members of a combination. A second call for the same system
  /// returns the same result without tuning again.
  Tuned tune(const System& system) const;
  /// Makes tune() return this result, which was found earlier.
  void remember(const System& system, const Tuned& tuned) const;

  /// A fit of mix on the first split's rows, from which the work of other fits is
  /// estimated.
  struct Probe {
    double passes = 1;         ///< its work, in passes over all rows
    double seconds = 0;        ///< on one thread
    double share_of_rows = 1;  ///< the fitted share of the non-zeros of all rows
    std::size_t folds = 0;     ///< the number of splits
  };
  Probe probe() const;

  /// Converts work, a number of visited non-zeros, to passes over all rows.
  double in_passes(double work) const;

  /// Returns the context for a fit on all rows with `exec`. All these contexts share one
  /// cache of source models.
  FitContext context(const Execution& exec) const;

 private:
  friend class Search;
  friend class SplitFits;
  friend class UnlabelledSearch;
  /// The same for fits on a split's rows, with a cache of their own if the splits have a
  /// sample of the source's rows.
  FitContext search_context(const Execution& exec) const;
  /// Returns the options of a final fit, adjusted for the fits of a search.
  Options for_search(Options options) const;
  /// Tunes everything but the use of unlabelled rows.
  Tuned tune_labelled(const System& system) const;
  Tuned tune_anew(const System& system) const;
  /// Whether the user fixed the option, so that it is not tuned.
  bool is_fixed(const std::string& option) const;
  /// Chooses how `tuned` uses the unlabelled rows, if there are any.
  void try_unlabelled(const System& system, Tuned& tuned) const;
  Tuned as_known(const System& system) const;
  std::optional<Tuned> remembered(const System& system) const;
  /// Returns the combination of tuned `members`. Unless the weights are known, EM finds
  /// them from the members' predictions for held-out rows.
  Tuned combine(const System& system, const std::vector<Tuned>& members) const;
  /// The same for a system that finds the weights of its members when it is fitted.
  Tuned pool(const System& system, const std::vector<Tuned>& members) const;
  /// Fits a temperature to the held-out predictions, if the options ask for it, and puts it
  /// into the options of `tuned` if it is kept.
  void calibrate(std::vector<double> distribution, Tuned& tuned) const;
  std::vector<double> member_weights(const System& system,
                                     const std::vector<Tuned>& members) const;

  const Dataset& data_;
  std::uint32_t target_;
  TuneOptions options_;
  std::shared_ptr<SourceFits> source_fits_;
  std::shared_ptr<SourceFits> sample_fits_;  // on the sample of the source's rows
  const Execution& exec_;
  Thrift thrift_;
  double share_ = 1;               // of the source's rows that the splits have
  std::vector<Split> splits_;      // empty if there is too little to hold out
  std::vector<std::size_t> rows_;  // all held-out rows, in the order of the splits
  std::size_t duplicates_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Tuned> done_;
  mutable std::map<std::string, Tuned> labelled_;  // results of tune_labelled()
};

/// Searches for the best settings of a system that combines no others.
Tuned search_settings(const Tuner& tuner, const System& system);
/// Scores the given settings on the tuner's splits and searches nothing.
Tuned score_settings(const Tuner& tuner, const System& system, Settings settings);

/// Throws UsageError unless these can be settings of `system`. Those of a combination are
/// the weights of its members.
void check_settings(const System& system, Settings settings);

/// Whether fits of this size are faster side by side, with one thread each, than one after
/// another with all threads.
bool side_by_side(const Dataset& data, const Execution& exec);

}  // namespace megadapt
