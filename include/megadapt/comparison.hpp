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

/// Rows of a data set to fit on, and rows held out to test on. Both ascending.
struct Split {
  std::vector<std::size_t> train;
  std::vector<std::size_t> held_out;
};

/// K splits that hold out each target row once. Source rows are in every training part.
/// Rows of a group stay together, so there are fewer than K splits if there are fewer
/// groups. A row without a group counts as a group. Throws UsageError when the target has
/// fewer than two groups.
std::vector<Split> target_folds(const Dataset& data, std::uint32_t target, int folds,
                                std::uint64_t seed);

/// One split that holds out about `fraction` of the target's rows, at least one group.
Split target_split(const Dataset& data, std::uint32_t target, double fraction,
                   std::uint64_t seed);

/// The number of held-out rows with the same features and label as a training row of the
/// target; such rows are too easy. A row counts once, whatever the number of splits.
std::size_t count_duplicates(const Dataset& data, std::uint32_t target,
                             std::span<const Split> splits);
/// The same for the rows of another data set over the same vocabulary.
std::size_t count_duplicates(const Dataset& train, std::uint32_t target,
                             const Dataset& test);
/// Whether more than half of the target's rows equal another row.
bool repeats_rows(const Dataset& data, std::uint32_t target);

struct Predictions {
  std::vector<std::uint32_t> label;  // [rows]
  std::vector<double> probability;   // [rows][Y]
};

/// Predicts `rows` of `data` as rows of `domain`.
Predictions predict_rows(const Predictor& predictor, const Dataset& data, RowIds rows,
                         std::uint32_t domain, const Execution& exec);

enum class Criterion { log_loss, accuracy, f1 };

/// "log-loss", "accuracy", "f1"; throws UsageError with a suggestion for any other name.
Criterion parse_criterion(std::string_view name);
std::string_view criterion_name(Criterion criterion);

/// How much work a search for settings may do. Except for `thorough`, the search fits a
/// sample of the source's rows, its fits stop early, and it drops settings that are worse
/// on the first folds. `thorough` fits all rows and all folds to the tolerance. The model
/// that is trained and tested afterwards is fitted to all rows in any case.
enum class Effort { quick, normal, thorough };

/// "quick", "normal", "thorough"; throws UsageError with a suggestion for any other name.
Effort parse_effort(std::string_view name);
std::string_view effort_name(Effort effort);

/// Number of folds of cross-validation, to tune, to test and for curves.
inline constexpr int kDefaultFolds = 5;

struct TuneOptions {
  /// Hold out this random share of the target's rows instead of cross-validation.
  std::optional<double> dev_fraction = {};
  int folds = kDefaultFolds;  ///< of cross-validation
  Criterion criterion = Criterion::log_loss;
  Effort effort = Effort::normal;
  /// The share of the source's rows that the search uses; unset: as the effort says.
  std::optional<double> source_share = {};
  Options base = {};  ///< the options that are not tuned, and the seed of the splits
  std::vector<std::string> fixed = {};  ///< options to take from `base` without tuning
  /// Fit a temperature to the held-out predictions; see Calibration.
  bool calibrate = false;
  /// How much work the search for a system's settings may do, by name of the system, in
  /// passes over all rows. A search that has used it up returns the best settings so far;
  /// the start values are always tried. Without an entry there is no limit.
  std::map<std::string, double> budget = {};
  /// Settings of systems that were tuned earlier, by system name. For a combination these
  /// are the weights of its members.
  std::map<std::string, Settings> known = {};
  /// Ranks that all call tune() on the same rows and share the folds. `exec` has a
  /// communicator of its own, which must be serial. compare() distributes systems instead.
  Communicator* ranks = &serial_communicator();
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< called from several threads
  std::shared_ptr<const FormerModel> former = {};     ///< for every fit
};

/// "by log-loss on 5-fold cross-validation", for people and for the provenance of a model.
std::string how_tuned(const TuneOptions& options);

/// The held-out scores of settings that were tried.
struct Trial {
  Settings settings;
  double score = 0;  ///< by the criterion
  double log_loss = 0;
  double accuracy = 0;
  double f1 = 0;
  double seconds = 0;
};

/// A temperature fitted to held-out predictions, and what it gains. For the log loss, each
/// row has a temperature that was fitted without the row's fold.
struct Calibration {
  double temperature = 1;  ///< of all held-out rows
  double before = 0;       ///< log loss without it
  double after = 0;        ///< log loss with it
  bool kept = false;       ///< the gain exceeds its standard error
};

/// What a system gains on held-out rows from unlabelled rows. A held-out row is never among
/// the unlabelled rows of its own fit.
struct UnlabelledTrial {
  double weight = 0;            ///< gamma, of an unlabelled row; 0: they do not help
  double sharpen = 0;           ///< k, of the rows' own labels
  double log_loss = 0;          ///< of the held-out rows, with this weight
  double log_loss_without = 0;  ///< the same without unlabelled rows
};

struct Tuned {
  std::string system;
  Settings settings;         ///< the best ones
  Options options;           ///< the base options with `settings`, ready for a fit
  std::vector<Trial> tried;  ///< in the order they were tried
  std::size_t dropped = 0;   ///< number of settings that were not tried on all folds
  std::size_t held_out = 0;  ///< number of held-out rows
  std::size_t duplicates = 0;
  double source_share = 1;  ///< the share of the source's rows that the search used
  /// Number of maximum entropy fits of the search. Source models count, even if another
  /// search fitted them.
  std::size_t fits = 0;
  double passes = 0;       ///< their work, in passes over all rows
  bool cut_short = false;  ///< the search ended because its budget was used up
  double seconds = 0;
  /// The held-out rows, and the probability of the true label of each under `settings`.
  std::vector<std::size_t> rows;
  std::vector<double> probability;
  /// Set by TuneOptions::calibrate. If it is kept, `options` have the temperature. Trials
  /// and `probability` are without it.
  std::optional<Calibration> calibration = {};
  std::vector<double> distribution = {};  ///< [rows][Y], if the tuning calibrates
  /// Set if there are unlabelled rows. `options` have its weight and sharpening.
  std::optional<UnlabelledTrial> unlabelled = {};
};

/// Chooses the options of a system by its predictions for held-out target rows. The search
/// changes one option at a time from the start values, numbers on a logarithmic scale as
/// long as the score improves. Then it tries the choices again, and numbers with smaller
/// steps. If the target has too few rows to hold any out, it returns the start values.
///
///     const Tuned tuned = tune(data, "prior", target, {.folds = 5}, exec);
///     const System& prior = find_system("prior");
///     const auto predictor = prior.fit(data, target, tuned.options, {exec});
///
/// With unlabelled rows, their weight and sharpening are chosen last, by the log loss of
/// the held-out rows, and they are left out unless they lower it. An unlabelled row that
/// equals a held-out one takes no part in its fold: its own sharpened label would freeze its
/// prediction.
///
/// The result does not depend on the number of threads. Throws UsageError as System::fit
/// does.
Tuned tune(const Dataset& data, std::string_view system, std::uint32_t target,
           const TuneOptions& options, const Execution& exec);

/// What a system gained on the test rows from unlabelled rows.
struct UnlabelledGain {
  double weight = 0;                 ///< gamma; with folds: the choice of most folds
  double sharpen = 0;                ///< k, likewise
  Evaluation without = {};           ///< of the same settings without unlabelled rows
  double gain = 0;                   ///< in accuracy
  std::array<double, 2> interval{};  ///< 95% of the gain, paired bootstrap
};

/// One system after tuning, training and testing.
struct SystemResult {
  std::string name;
  std::string left_out = {};               ///< why it could not run; empty if it did
  Evaluation evaluation = {};              ///< on the test rows, with a bootstrap interval
  Settings tuned = {};                     ///< with folds: the choice of most folds
  Options options = {};                    ///< for a fit with these settings
  std::vector<Options> fold_options = {};  ///< of each fold, or of the one split
  std::vector<Trial> tried = {};
  Predictions predictions = {};               ///< of the test rows, in order
  std::vector<Calibration> calibration = {};  ///< of each fold, or of the one split
  double error_reduction = 0;  ///< the share of its errors that the best system avoids
  /// With CompareOptions::control: the same settings on rows with permuted domains.
  std::optional<Evaluation> permuted = {};
  std::optional<UnlabelledGain> unlabelled = {};  ///< set if there are unlabelled rows
  double source_share = 1;  ///< the share of the source's rows that tuning used
  /// Number of maximum entropy fits of tuning. Source models count, even if another search
  /// fitted them.
  std::size_t fits = 0;
  double passes = 0;       ///< their work, in passes over all training rows
  bool cut_short = false;  ///< TuneOptions::budget ended the search
  double seconds = 0;
};

/// Two systems on the same test rows.
struct PairResult {
  std::string a;
  std::string b;
  McNemar test = {};
  /// If tags mark spans: approximate randomisation of the span F1, by sentence.
  std::optional<double> p_f1 = {};
  /// Corrected for the number of pairs: p_f1 if spans are ranked by F1, else test.p.
  double p_holm = 1;
  double difference = 0;             ///< accuracy of a minus accuracy of b
  std::array<double, 2> interval{};  ///< 95% of the difference, paired bootstrap
};

/// What a comparison is going to do. Work is counted in passes over all training rows, at
/// the speed of mix.
struct WorkPlan {
  double passes = 0;   ///< expected work; with a limit, at most about the limit
  double seconds = 0;  ///< how long that takes here, very roughly
  /// The limit, of CompareOptions in passes or in seconds; unset if there is none.
  std::optional<double> limit = {};
  /// As in TuneOptions. Empty if no search is cut short.
  std::map<std::string, double> budget = {};
  std::vector<std::string> left_out = {};  ///< systems for which there is no time
};

struct Comparison {
  std::vector<SystemResult> systems;     ///< in the order asked for
  std::vector<PairResult> pairs;         ///< of the systems that ran
  std::string best;                      ///< empty if none ran
  Criterion rank = Criterion::accuracy;  ///< by which `best` is best
  std::string verdict;                   ///< one plain sentence
  std::vector<std::string> evidence;     ///< sentences: interval, tests, what is missing
  std::size_t examples = 0;              ///< number of test rows
  std::size_t duplicates = 0;            ///< number of test rows that training contains too
  bool repetitive = false;  ///< equal rows are usual: tokens, tables of few values
  std::optional<WorkPlan> plan = {};  ///< if there was a limit or someone asked for a plan
  bool complete = true;               ///< false if interrupted before the last system
};

struct CompareOptions {
  std::vector<std::string> systems = {};  ///< empty: all
  TuneOptions tuning = {};
  bool tune = true;      ///< false: use the base options
  bool control = false;  ///< also fit each system with the rows' domains permuted
  /// The score that decides which system is best. Unset: F1 if tags mark spans, else
  /// accuracy.
  std::optional<Criterion> rank = {};
  int folds = kDefaultFolds;  ///< of the target's rows, if there are no test rows
  std::string resume = {};    ///< directory to store finished parts in; empty: none
  /// Fit the work into this many seconds. How much work that is depends on the machine: to
  /// repeat the result, give WorkPlan::limit as `passes`.
  std::optional<double> seconds = {};
  /// Do about this much work, in the unit of WorkPlan. Has precedence over `seconds`.
  std::optional<double> passes = {};
  /// Called before the first system is tuned.
  std::function<void(const WorkPlan&)> on_plan = {};
  /// Ranks that share the systems. Each has all rows and returns the whole result.
  Communicator* ranks = &serial_communicator();
  std::function<void(const Progress&)> on_progress = {};
  /// Called for each finished system, in order.
  std::function<void(const SystemResult&)> on_system = {};
};

/// Tunes, trains and tests systems on the same rows, and recommends one.
///
///     const Dataset test = read_test_rows("in.test.txt", train, target);
///     const Comparison table = compare(train, target, &test, {}, exec);
///
/// Without `test`, the target's rows are split into folds, each predicted by systems tuned
/// and trained on the rest. A system that cannot run is left out, with the reason. When the
/// execution is stopped, the finished systems are returned and `complete` is false. Throws
/// UsageError for an unknown system, too few rows, or a `resume` directory of another
/// comparison.
Comparison compare(const Dataset& train, std::uint32_t target, const Dataset* test,
                   const CompareOptions& options, const Execution& exec);

/// Where the models of a comparison are saved.
struct KeptModels {
  std::string best = {};    ///< file for the best system's model; "": do not save it
  std::string folder = {};  ///< folder for SYSTEM.mega of each system; "": do not save them
  Settings recorded = {};   ///< for ModelInfo::options, as in train_model()
};

/// Creates the folder. Throws UsageError when a model cannot be saved there. Call it before
/// the comparison, so that no result is lost.
void prepare_to_keep(const KeptModels& kept);

/// Trains the systems of a comparison on all rows of `train`, with the settings that it
/// chose, and saves their models. With test rows the models are those that were tested, to
/// the last bit.
void keep_models(const Dataset& train, std::uint32_t target, const Comparison& comparison,
                 const CompareOptions& options, const KeptModels& kept,
                 const Execution& exec);

/// The systems of a list such as "onlyi,mix" or "all", without repetitions and in the order
/// of the registry. Throws UsageError with a suggestion for an unknown name.
std::vector<std::string> parse_systems(std::string_view text);

/// A mean over repeats, plus and minus one standard deviation.
struct Band {
  double mean = 0;
  double low = 0;
  double high = 0;
};

/// The scores of a system trained with some of the target's rows.
struct CurvePoint {
  double examples = 0;  ///< of the target; a mean over repeats, since groups stay whole
  Band accuracy;
  Band f1;
  Band log_loss;
};

struct SystemCurve {
  std::string name;
  std::string left_out;  ///< why it could not run; empty if it did
  std::vector<CurvePoint> points;
};

/// How many target labels would help as much as the source does.
struct SourceWorth {
  double labels = 0;  ///< onlyi needs this many more for the accuracy of the best system
  bool more_than = false;  ///< onlyi needs more than `labels`, as far as its curve tells
  std::array<double, 2> interval{};  ///< 95%; bounded like `labels`
};

/// What more target labels in random order would give a system.
struct ExpectedGain {
  std::string system;
  double labels = 0;                 ///< this many more
  double gain = 0;                   ///< of accuracy
  std::array<double, 2> interval{};  ///< 95%
};

struct LearningCurves {
  std::vector<SystemCurve> systems;
  std::vector<std::size_t> sizes;  ///< as requested, ascending; the last is all rows
  int repeats = 0;
  std::size_t tested = 0;        ///< number of test rows, of all repeats if they differ
  std::string best;              ///< the best system at the largest size that all reached
  double reference = 0;          ///< accuracy of onlyi with all rows
  std::optional<double> enough;  ///< how many rows `best` needs to reach the reference
  std::string verdict;           ///< one plain sentence
  /// Sentences: what the last rows gained, and what the source and more rows are worth.
  std::vector<std::string> evidence = {};
  /// Unset if there are fewer than three sizes, or no other system than onlyi.
  std::optional<SourceWorth> worth = {};
  std::optional<ExpectedGain> more = {};  ///< of `best`; unset if there are too few sizes
  bool stopped = false;                   ///< CurveOptions::stop skipped larger sizes
};

/// When options are tuned: never, once per repeat on all its rows, or for every sample.
enum class CurveTuning { none, once, each };

struct CurveOptions {
  std::vector<std::string> systems = {};  ///< onlyi is added; empty: those with in_curves
  std::vector<std::size_t> sizes = {};    ///< empty: halved from all rows, up to 6 sizes
  int repeats = 5;                        ///< number of samples of each size
  int folds = kDefaultFolds;              ///< without test rows, each repeat holds out one
  CurveTuning when_tuned = CurveTuning::once;
  TuneOptions tuning = {};
  /// Skip larger sizes once the best system's accuracy grows by less than this.
  std::optional<double> stop = {};
  std::function<void(const Progress&)> on_progress = {};
};

/// Measures how the scores of systems depend on the number of target rows.
///
///     const Dataset test = read_test_rows("in.test.txt", train, target);
///     const LearningCurves curves = learning_curves(train, target, &test, {}, exec);
///
/// Every fit uses all source rows. Each repeat shuffles the target's rows, keeping groups
/// together, and takes the first ones, so a larger sample contains the smaller ones of its
/// repeat. Without `test`, repeat r holds out fold r of the target's rows and samples from
/// the rest. The result does not depend on the number of threads. Throws UsageError for an
/// unknown system, an impossible size, or too few rows.
LearningCurves learning_curves(const Dataset& train, std::uint32_t target,
                               const Dataset* test, const CurveOptions& options,
                               const Execution& exec);

/// What `labels` more target labels would give, beyond `from` of them, by the power law
/// accuracy = a - b n^-c through the points. The interval comes from refits to points that
/// are moved by their standard errors. Unset if there are fewer than three points.
std::optional<ExpectedGain> expected_gain(const SystemCurve& curve, int repeats,
                                          double from, double labels, std::uint64_t seed);

/// A feature that distinguishes two domains.
struct SeparatingFeature {
  std::string name;
  /// Mutual information of its presence and the domain in bits, for equally likely domains.
  double information = 0;
  double share_a = 0;  ///< the share of rows of the first domain that have it
  double share_b = 0;  ///< the same for the second domain
  /// psi of the general component and of the components of both domains, in a MEGA mixture;
  /// empty if all rows have the same label.
  std::vector<double> presence = {};
};

/// Whether the labels of a source contradict those of a target. Each model is fitted to one
/// domain; the target's are fitted without the rows that they predict.
struct Conflict {
  double source_fails = 0;  ///< share of target rows only the target's own model gets right
  double source_helps = 0;  ///< share of target rows only the source's model gets right
  /// How well a row's features tell rows where the source fails from rows where it helps:
  /// 1/2 is chance, 1 is always right. Unset if there are too few such rows.
  std::optional<double> auc = {};
  std::string advice = {};  ///< "conflict that x reveals: try megam", ...
};

/// How much two domains differ; `a` comes before `b` in the data.
struct DomainPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double kl_ab = 0;           ///< KL(a || b) of the unigram models, nats
  double kl_ba = 0;           ///< KL(b || a)
  double jensen_shannon = 0;  ///< of the relative frequencies, bits: 0 equal, 1 disjoint
  /// The probability that a classifier of the domain ranks a held-out row of b above one of
  /// a: 1/2 if the domains look alike, 1 if they are separable. Unset if a domain has fewer
  /// than two rows or groups.
  std::optional<double> auc;
  std::vector<SeparatingFeature> features;  ///< by decreasing information
  std::optional<Conflict> from_a = {};      ///< source a, target b; unset if b is too small
  std::optional<Conflict> from_b = {};      ///< source b, target a
};

struct DomainSummary {
  std::string name;
  std::size_t examples = 0;
  std::size_t features = 0;             ///< number of different features without the bias
  std::optional<double> general_share;  ///< pi; unset if all rows have the same label
  std::optional<double> mean_general = {};  ///< mean P(general | x); unset likewise
};

struct Relatedness {
  std::vector<DomainSummary> domains;  ///< [K]
  std::vector<DomainPair> pairs;       ///< a < b, by a and then b
  double smoothing = 0;                ///< of the unigram models

  const DomainPair& pair(std::uint32_t one, std::uint32_t other) const;
  double kl(std::uint32_t from, std::uint32_t to) const;  ///< 0 if they are the same
  /// Unset if it was not measured.
  const std::optional<Conflict>& conflict(std::uint32_t source, std::uint32_t target) const;
};

struct RelateOptions {
  double smoothing = 0.1;  ///< added to every count of the unigram models
  int folds = 5;           ///< of the domain classifier
  double variance = 1;     ///< sigma^2 of the classifier's and the mixture's weights
  int rounds = 5;          ///< of conditional EM, for pi
  bool conflict = true;    ///< whether to measure it
  std::size_t top = 10;    ///< separating features per pair
  std::uint64_t seed = 1;
  std::function<void(const Progress&)> on_progress = {};
};

/// Measures how similar domains are: in their features, to a classifier of the domain, and
/// in how labels depend on features (pi of a MEGA mixture).
///
///     const Relatedness how = relate(data, {}, exec);
///     how.pair(0, 1).auc;
///
/// The figures of a pair do not depend on other domains, except for pi. The result does not
/// depend on the number of threads. Throws UsageError when there are fewer than two domains
/// or one has no rows.
Relatedness relate(const Dataset& data, const RelateOptions& options,
                   const Execution& exec);

}  // namespace megadapt
