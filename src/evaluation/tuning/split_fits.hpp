#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "evaluation/tuner.hpp"

namespace megadapt {

/// Settings to try, with their predictions for the splits that they were fitted on so far.
struct Candidate {
  Settings settings;
  std::vector<Predictions> predicted = {};  // [splits]
  double seconds = 0;
};

/// Fits candidates of one system on the splits of a tuner. The fits on a split start where
/// the last one on it ended, so the order of calls matters; the number of threads does not.
class SplitFits {
 public:
  SplitFits(const Tuner& tuner, const System& system);

  /// Fits every candidate on the splits [from, to). Candidates that differ only in the
  /// option SystemTraits::passed (the rounds of megam) share a fit.
  void fit(const std::vector<Candidate*>& candidates, std::size_t from, std::size_t to);

  std::size_t fits() const { return fits_; }
  /// Returns the work of all fits so far, on all ranks, in passes over the tuner's rows.
  double passes() const { return passes_; }

 private:
  /// Candidates that share a fit, and their values of the passed option.
  struct Run {
    std::vector<Candidate*> candidates;
    std::vector<std::string> values;
  };

  std::vector<Run> runs_of(const std::vector<Candidate*>& candidates) const;
  void fit_split(const std::vector<Run>& runs, std::size_t split, const Execution& exec);
  void fit_run(const Run& run, std::size_t split, const Dataset& train,
               const Execution& exec);
  std::vector<PredictorPtr> predictors(const Run& run, std::size_t split,
                                       const Dataset& train, const Execution& exec);
  bool is_ours(std::size_t split) const;
  void exchange(const std::vector<Candidate*>& candidates, std::size_t from,
                std::size_t to);

  const Tuner& tuner_;
  const System& system_;
  std::shared_ptr<SourceFits> source_fits_;
  std::vector<std::shared_ptr<WarmStarts>> warm_;  // [splits]
  std::vector<double> seconds_;                    // [splits]; of the last fits
  std::vector<double> work_;                       // [splits]; likewise, in non-zeros
  std::atomic<std::size_t> fits_ = 0;
  double passes_ = 0;
};

}  // namespace megadapt
