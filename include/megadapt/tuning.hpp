#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "megadapt/adaptation.hpp"

namespace megadapt {

/// A part to fit on and a part to judge by, as rows of one data set, ascending.
struct Split {
  std::vector<std::size_t> train;
  std::vector<std::size_t> held_out;
};

/// K splits, each target row held out once. Source rows are in every training part; rows of
/// one group stay together. UsageError when the target has fewer than two units to deal;
/// fewer than K units give fewer splits.
std::vector<Split> target_folds(const Dataset& data, std::uint32_t target, int folds,
                                std::uint64_t seed);

/// One split that holds about `fraction` of the target's rows out, at least one unit.
Split target_split(const Dataset& data, std::uint32_t target, double fraction,
                   std::uint64_t seed);

/// Held-out rows whose features and label a training row of the target also has: such rows
/// are too easy. Counted over all splits, a row once.
std::size_t count_duplicates(const Dataset& data, std::uint32_t target,
                             std::span<const Split> splits);
/// Likewise for the rows of another data set over the same vocabulary.
std::size_t count_duplicates(const Dataset& train, std::uint32_t target,
                             const Dataset& test);

/// What a system says of rows.
struct Predictions {
  std::vector<std::uint32_t> label;  // [rows]
  std::vector<double> probability;   // [rows][Y]
};

/// Predicts `rows` of `data`, as rows of `domain`.
Predictions predict_rows(const Predictor& predictor, const Dataset& data,
                         std::span<const std::size_t> rows, std::uint32_t domain,
                         const Execution& exec);

enum class Criterion { log_loss, accuracy, f1 };

/// "log-loss", "accuracy", "f1"; UsageError with a suggestion for any other name.
Criterion parse_criterion(std::string_view name);
std::string_view criterion_name(Criterion criterion);

struct TuneOptions {
  double dev_fraction = 0.2;  ///< of the target's rows, to judge by
  int folds = 0;              ///< >= 2: cross-validation instead
  Criterion criterion = Criterion::log_loss;
  /// What is not tuned, and the seed of the splits. Its callbacks may come from several
  /// threads at once.
  AdaptationOptions base = {};
  /// Knobs that stay as `base` has them.
  std::vector<std::string> fixed = {};
  /// Systems that are not tuned, because somebody did so before: their settings, by name.
  /// Those of `stack` are its members' weights.
  std::map<std::string, Settings> known = {};
  /// Ranks that all call tune() on the same rows share the folds out. Those of `exec` are
  /// others, which must be one; compare() shares out systems instead.
  Communicator* ranks = &serial_communicator();
  std::function<void(const Progress&)> on_progress = {};
};

/// One setting that was tried.
struct Trial {
  Settings settings;
  double score = 0;  ///< by the criterion; log loss: lower is better
  double log_loss = 0;
  double accuracy = 0;
  double f1 = 0;
  double seconds = 0;
};

struct Tuned {
  std::string system;
  Settings settings;          ///< what was chosen, knob by knob
  AdaptationOptions options;  ///< the base with the settings applied, ready for a fit
  std::vector<Trial> tried;   ///< in the order they were tried
  std::size_t held_out = 0;   ///< rows judged by
  std::size_t duplicates = 0;
  double seconds = 0;
  /// p(own label) of the held-out rows under the chosen setting, by fits without the row.
  std::vector<std::size_t> rows;
  std::vector<double> probability;
};

/// Chooses the options of a system by what it predicts for target rows it has not seen. The
/// search goes knob by knob from the start values, on a logarithmic scale as far as it gets
/// better; then once more over choices, and with smaller steps over numbers. Where the
/// target has too few rows to hold any out, the start values are returned untried.
///
///     const Tuned tuned = tune(data, "prior", target, {.folds = 5}, exec);
///     const auto predictor = find_adaptation("prior").fit(data, target, tuned.options,
///     exec);
///
/// The same for any number of threads. Throws UsageError as Adaptation::fit does.
Tuned tune(const Dataset& data, std::string_view system, std::uint32_t target,
           const TuneOptions& options, const Execution& exec);

}  // namespace megadapt
