#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// A mean over repeats, and one standard deviation to each side.
struct Band {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// A system trained with some of the target's rows.
struct CurvePoint {
  double examples = 0;  ///< of the target, mean over repeats: groups are taken whole
  Band accuracy;
  Band f1;
  Band log_loss;
};

struct SystemCurve {
  std::string name;
  std::string left_out;  ///< why it could not run; empty when it did
  std::vector<CurvePoint> points;
};

struct LearningCurves {
  std::vector<SystemCurve> systems;
  std::vector<std::size_t> sizes;  ///< asked for, ascending; the last is all rows
  int repeats = 0;
  std::size_t tested = 0;        ///< rows judged by, over all repeats where they differ
  std::string best;              ///< at the largest size that all systems reached
  double reference = 0;          ///< accuracy of onlyi with all rows
  std::optional<double> enough;  ///< rows with which `best` reaches the reference
  std::string verdict;           ///< one or two plain sentences
  bool stopped = false;          ///< `stop` left out larger sizes
};

/// When options are tuned: never, once on all rows of a repeat, or on every sample anew.
enum class CurveTuning { none, once, each };

struct CurveOptions {
  std::vector<std::string> systems = {};  ///< onlyi joins them; empty: a choice of six
  std::vector<std::size_t> sizes = {};    ///< empty: halved from all rows, up to 6 sizes
  int repeats = 5;                        ///< samples of each size
  int folds = 5;                          ///< without test rows, a repeat holds one out
  CurveTuning when_tuned = CurveTuning::once;
  TuneOptions tuning = {};
  /// Go no further when the best system gained less accuracy than this since the last size.
  std::optional<double> stop = {};
  std::function<void(const Progress&)> on_progress = {};
};

/// How systems grow with the number of target rows.
///
///     const Dataset test = read_test_rows("in.test.txt", train, target);
///     const LearningCurves curves = learning_curves(train, target, &test, {}, exec);
///
/// Source rows are always all there. Each repeat shuffles the target's rows, groups staying
/// together, and takes the first ones: a larger sample holds the smaller ones of its
/// repeat. Without `test` repeat r holds out fold r of the target's rows and samples from
/// the rest. The same for any number of threads. Throws UsageError for an unknown system,
/// sizes that are not there, or too few rows.
LearningCurves learning_curves(const Dataset& train, std::uint32_t target,
                               const Dataset* test, const CurveOptions& options,
                               const Execution& exec);

/// `rows` in a random order that keeps the groups of `data` together, for nested samples.
std::vector<std::size_t> shuffled_rows(const Dataset& data, std::vector<std::size_t> rows,
                                       std::uint64_t seed);

/// How many of shuffled_rows() to take for a sample of about `size`: whole groups, at least
/// one, and never more for a smaller size.
std::size_t sample_size(const Dataset& data, const std::vector<std::size_t>& shuffled,
                        std::size_t size);

/// Sizes halved from `all` down to 5 or so, at most `most` of them, ascending.
std::vector<std::size_t> halved_sizes(std::size_t all, std::size_t most = 6);

}  // namespace megadapt
