#pragma once

#include "megadapt/systems.hpp"

namespace megadapt {

/// Whether a fit with these options uses the unlabelled rows of `data` itself. A combination
/// whose members are fitted one by one leaves them to its members.
bool self_trains(const System& system, const Dataset& data, const Options& options);

/// Sharpened self-training (docs/unlabelled.md). The system is fitted to the labelled rows.
/// Each unlabelled row then gets the labels q(y) proportional to r(y) p(y | x)^k of that fit
/// and joins the target's rows with a weight. The factors r keep the total of each label over
/// all unlabelled rows. The system is fitted to all rows, twice, each time with new q.
///
///     SelfTraining training(prior, data, target, options, context);
///     PredictorPtr fitted = training.fit(2, 0.3);
///
/// The fit to the labelled rows serves any number of calls.
class SelfTraining {
 public:
  /// Fits to the labelled rows. All arguments must outlive this object.
  SelfTraining(const System& system, const Dataset& data, std::uint32_t target,
               const Options& options, const FitContext& context);

  const Predictor& plain() const { return *plain_; }  ///< fitted to the labelled rows
  /// `weight` multiplies the weight of each unlabelled row.
  PredictorPtr fit(double sharpen, double weight) const;

 private:
  const System& system_;
  const Dataset& data_;
  std::uint32_t target_;
  const Options& options_;
  FitContext context_;
  std::vector<double> start_;  // where the first fit ended
  PredictorPtr plain_;
};

/// Returns `data` with its unlabelled rows as rows of the target, labelled by `predictor`.
Dataset with_own_labels(const Dataset& data, std::uint32_t target,
                        const Predictor& predictor, double sharpen, double weight,
                        const Execution& exec);

}  // namespace megadapt
