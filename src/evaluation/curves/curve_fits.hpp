#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "evaluation/curves/repeats.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/systems.hpp"
#include "systems/fit_memory.hpp"

namespace megadapt {

class Tuner;

/// Samples, tunes, fits and tests the systems of a curve. The data and the options must
/// outlive it.
///
///     CurveFits fits(train, target, test, options, systems, exec);
///     fits.tune(repeat, repeat.rows);  // if options.when_tuned is `once`
///     const Dataset data = fits.sample(repeat, rows);
///     const CurveScores scores = fits.test(*fits.fit(0, repeat, data, exec), repeat, exec);
class CurveFits {
 public:
  /// Tests on a fold of `train` if `test` is null. Throws UsageError if no system reads an
  /// option that is fixed.
  CurveFits(const Dataset& train, std::uint32_t target, const Dataset* test,
            const CurveOptions& options, std::vector<const System*> systems,
            const Execution& exec);

  /// The data that the rows `held_out` of a repeat belong to.
  const Dataset& tested() const { return test_ ? *test_ : train_; }

  /// Returns the source's rows and these rows of the target. Unlabelled rows that the repeat
  /// is tested on are left out.
  Dataset sample(const Repeat& repeat, std::span<const std::size_t> target_rows) const;

  /// Tunes every system on these rows of the target, unless a repeat with the same pool was
  /// tuned before.
  void tune(const Repeat& repeat, std::span<const std::size_t> target_rows);

  /// Fits system `i` with the options that it was tuned to, or tunes it on `data` first, as
  /// the options of the curve say. Throws UsageError if the system cannot be fitted to `data`.
  PredictorPtr fit(std::size_t i, const Repeat& repeat, const Dataset& data,
                   const Execution& exec) const;

  /// Returns the scores on the rows that the repeat holds out; `examples` stays 0.
  CurveScores test(const Predictor& predictor, const Repeat& repeat,
                   const Execution& exec) const;

 private:
  Options tune_one(const Tuner& tuner, const System& system) const;

  const Dataset& train_;
  std::uint32_t target_;
  const Dataset* test_;
  const CurveOptions& options_;
  std::vector<const System*> systems_;
  const Execution& exec_;
  std::shared_ptr<SourceFits> source_fits_;
  std::map<std::size_t, std::vector<Options>> tuned_;  // by pool: [systems]
};

}  // namespace megadapt
