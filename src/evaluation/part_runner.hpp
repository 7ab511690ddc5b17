#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "evaluation/part_store.hpp"
#include "evaluation/tuner.hpp"

namespace megadapt {

/// Tunes, trains and tests systems on one training and one test part.
class PartRunner {
 public:
  struct Job {
    const Dataset* train;
    std::uint32_t target;
    const Dataset* test;
    RowIds rows;        ///< the rows of `test` to predict
    std::size_t split;  ///< index of the split in the store
  };

  /// Everything passed in must outlive the runner.
  PartRunner(const Job& job, const CompareOptions& options, const PartStore& store,
             std::shared_ptr<SourceFits> source_fits, const Execution& exec);

  /// Runs `systems`, side by side where that is faster. `finished` is called when each is
  /// done, never by two threads at once. If stopped, throws Interrupted after the finished
  /// systems were reported.
  void run(const std::vector<const System*>& systems,
           const std::function<void(const std::string& system, const Part&)>& finished);

 private:
  Part attempt(const System& system);
  Part run_one(const System& system);
  Part run_combination(const System& system);
  /// `without` was fitted without unlabelled rows; null if `predictor` was, too.
  Part finish(Tuned tuned, const Predictor& predictor, const Predictor* without,
              double seconds) const;
  Predictions predict(const Predictor& predictor, const Options& options) const;
  Tuned tuned(const System& system) const;
  PredictorPtr fit(const System& system, const Tuned& with, bool labelled_only) const;
  bool uses_unlabelled(const Options& options) const;

  Job job_;
  const CompareOptions& options_;
  const PartStore& store_;
  const Execution& exec_;
  const Execution one_{1};
  bool beside_;
  bool keep_ = false;  // keep the predictors for combinations
  Tuner tuner_;
  std::mutex mutex_;
  std::map<std::string, PredictorPtr> fitted_;
};

}  // namespace megadapt
