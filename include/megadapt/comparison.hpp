#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "megadapt/evaluation.hpp"
#include "megadapt/systems.hpp"

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
  /// Judge by this random share of the target's rows instead of by cross-validation.
  std::optional<double> dev_fraction = {};
  int folds = 5;  ///< of cross-validation
  Criterion criterion = Criterion::log_loss;
  Options base = {};  ///< what is not tuned, and the seed of the splits
  /// Options that stay as `base` has them.
  std::vector<std::string> fixed = {};
  /// Systems that are not tuned, because somebody did so before: their settings, by name.
  /// Those of a combination are its members' weights.
  std::map<std::string, Settings> known = {};
  /// Ranks that all call tune() on the same rows share the folds out. Those of `exec` are
  /// others, which must be one; compare() shares out systems instead.
  Communicator* ranks = &serial_communicator();
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< from several threads at once
  std::shared_ptr<const FormerModel> former = {};     ///< for every fit
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
  Settings settings;         ///< what was chosen, option by option
  Options options;           ///< the base with the settings applied, ready for a fit
  std::vector<Trial> tried;  ///< in the order they were tried
  std::size_t held_out = 0;  ///< rows judged by
  std::size_t duplicates = 0;
  double seconds = 0;
  /// p(own label) of the held-out rows under the chosen setting, by fits without the row.
  std::vector<std::size_t> rows;
  std::vector<double> probability;
};

/// Chooses the options of a system by what it predicts for target rows it has not seen. The
/// search goes option by option from the start values, on a logarithmic scale as far as it
/// gets better; then once more over choices, and with smaller steps over numbers. Where the
/// target has too few rows to hold any out, the start values are returned untried.
///
///     const Tuned tuned = tune(data, "prior", target, {.folds = 5}, exec);
///     const auto predictor = find_system("prior").fit(data, target, tuned.options,
///     {exec});
///
/// The same for any number of threads. Throws UsageError as System::fit does.
Tuned tune(const Dataset& data, std::string_view system, std::uint32_t target,
           const TuneOptions& options, const Execution& exec);

/// One system after tuning, training and testing.
struct SystemResult {
  std::string name;
  std::string left_out = {};   ///< why it could not run; empty when it did
  Evaluation evaluation = {};  ///< on the test rows; its interval is a bootstrap's
  Settings tuned = {};         ///< with folds: what most folds chose
  Options options = {};        ///< of a fit with those settings
  std::vector<Trial> tried = {};
  Predictions predictions = {};  ///< of the test rows, in order
  double error_reduction = 0;    ///< the share of this system's error that the best avoids
  double seconds = 0;
};

/// Two systems on the same test rows.
struct PairResult {
  std::string a;
  std::string b;
  McNemar test = {};
  /// Of taggers of spans: approximate randomisation of the span F1, by sentence.
  std::optional<double> p_f1 = {};
  double p_holm = 1;                 ///< corrected for the number of pairs
  double difference = 0;             ///< accuracy of a minus accuracy of b
  std::array<double, 2> interval{};  ///< 95% of the difference, paired bootstrap
};

struct Comparison {
  std::vector<SystemResult> systems;  ///< in the order asked for
  std::vector<PairResult> pairs;      ///< of the systems that ran
  std::string best;                   ///< empty when none ran
  std::string verdict;                ///< one plain sentence
  std::size_t examples = 0;           ///< test rows
  std::size_t duplicates = 0;         ///< test rows that training has too
  bool complete = true;               ///< false when interrupted before the last system
};

struct CompareOptions {
  std::vector<std::string> systems = {};  ///< empty: all
  TuneOptions tuning = {};
  bool tune = true;                      ///< false: the base options as they are
  Criterion rank = Criterion::accuracy;  ///< what "best" means
  int folds = 10;                        ///< of the target's rows, without test rows
  std::string resume = {};  ///< directory that keeps what is finished; empty: none
  /// Share the systems out; each has all rows, and all get the whole result.
  Communicator* ranks = &serial_communicator();
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const SystemResult&)> on_system = {};  ///< finished, in order
};

/// Tunes, trains and tests systems on the same rows, and says which to use.
///
///     const Dataset test = read_test_rows("in.test.txt", train, target);
///     const Comparison table = compare(train, target, &test, {}, exec);
///
/// Without `test` the target's rows are dealt into folds, each predicted by systems tuned
/// and trained on the rest. A system that cannot run is left out with the reason. When the
/// execution is stopped, what is finished is returned and `complete` is false. Throws
/// UsageError for an unknown system, too few rows, or a `resume` directory of another
/// comparison.
Comparison compare(const Dataset& train, std::uint32_t target, const Dataset* test,
                   const CompareOptions& options, const Execution& exec);

/// "onlyi,mix", "all": names in the order of the registry, each once; UsageError with a
/// suggestion for an unknown one.
std::vector<std::string> parse_systems(std::string_view text);

/// UsageError unless these can be a system's settings: of a combination, its members'
/// weights.
void check_settings(const System& system, const Settings& settings);

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
  TuneOptions tuning = {.dev_fraction = 0.2};
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
