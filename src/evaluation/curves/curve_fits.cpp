#include "evaluation/curves/curve_fits.hpp"

#include "dataset/select_rows.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "evaluation/tuner.hpp"
#include "evaluation/tuning/unlabelled.hpp"
#include "systems/systems.hpp"

namespace megadapt {

CurveFits::CurveFits(const Dataset& train, std::uint32_t target, const Dataset* test,
                     const CurveOptions& options, std::vector<const System*> systems,
                     const Execution& exec)
    : train_(train),
      target_(target),
      test_(test),
      options_(options),
      systems_(std::move(systems)),
      exec_(exec),
      source_fits_(std::make_shared<SourceFits>()) {
  refuse_unread(systems_, options.tuning.fixed);
}

Dataset CurveFits::sample(const Repeat& repeat,
                          std::span<const std::size_t> target_rows) const {
  std::vector<bool> chosen(train_.num_examples());
  for (const std::size_t n : target_rows) chosen[n] = true;
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < train_.num_examples(); ++n) {
    if (train_.domain[n] != target_ || chosen[n]) rows.push_back(n);
  }
  Dataset sampled = select_rows(train_, rows);
  sampled.unlabelled = unlabelled_without(train_.unlabelled, tested(), repeat.held_out);
  return sampled;
}

void CurveFits::tune(const Repeat& repeat, std::span<const std::size_t> target_rows) {
  if (tuned_.contains(repeat.pool)) return;
  const Dataset data = sample(repeat, target_rows);
  TuneOptions tuning = options_.tuning;
  const std::vector<std::string>& fixed = options_of_one_size();
  tuning.fixed.insert(tuning.fixed.end(), fixed.begin(), fixed.end());
  tuning.on_progress = options_.on_progress;
  const Tuner tuner(data, target_, tuning, source_fits_, exec_);
  std::vector<Options>& options = tuned_[repeat.pool];
  for (const System* system : systems_) options.push_back(tune_one(tuner, *system));
}

// A system that cannot run is reported when it is fitted, not here.
Options CurveFits::tune_one(const Tuner& tuner, const System& system) const {
  try {
    return tuner.tune(system).options;
  } catch (const UsageError&) {
    return options_.tuning.base;
  }
}

PredictorPtr CurveFits::fit(std::size_t i, const Repeat& repeat, const Dataset& data,
                            const Execution& exec) const {
  Options options = options_.tuning.base;
  if (options_.when_tuned == CurveTuning::once) {
    options = tuned_.at(repeat.pool)[i];
  } else if (options_.when_tuned == CurveTuning::each) {
    options =
        tune_one(Tuner(data, target_, options_.tuning, source_fits_, exec), *systems_[i]);
  }
  return systems_[i]->fit(
      data, target_, options,
      {.exec = exec,
       .on_progress = [this](const Progress&) { exec_.throw_if_stopped(); },
       .source_fits = source_fits_});
}

CurveScores CurveFits::test(const Predictor& predictor, const Repeat& repeat,
                            const Execution& exec) const {
  const Predictions predictions =
      predict_rows(predictor, tested(), repeat.held_out, target_, exec);
  const Evaluation found = evaluate_rows(tested(), repeat.held_out, train_.num_labels(),
                                         predictions, options_.tuning.base.seed);
  return {0, found.accuracy, found.f1, found.log_loss};
}

}  // namespace megadapt
