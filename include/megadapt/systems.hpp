#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/model.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// Progress of long work. Within a `stage`, `fraction` in [0, 1] never decreases.
struct Progress {
  std::string stage;
  double fraction = 0;
};

/// Names and values of options as on the command line: {"variance", "0.1"}. The text of a
/// number gives exactly that number when it is read back.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct EStepChoice {
  EStep how = EStep::training;
  int folds = 5;  ///< of EStep::cross_fit
  bool operator==(const EStepChoice&) const = default;
};

/// A member of a combination, with its tuned settings.
struct Member {
  std::string system;
  Settings settings;
  std::optional<double> weight = {};  ///< in the combination; else the fit finds it
  bool operator==(const Member&) const = default;
};

/// Factors for the weights of rows, by their label.
struct ClassWeights {
  bool balanced = false;  ///< within each domain, all labels have the same total weight
  std::vector<std::pair<std::string, double>> of = {};  ///< by label; 1 for the others
  bool empty() const { return !balanced && of.empty(); }
  bool operator==(const ClassWeights&) const = default;
};

/// How unlabelled rows are used unless options say otherwise.
inline constexpr double kUnlabelledWeight = 0.1;
inline constexpr double kSharpen = 2;

/// The options of all systems, as plain values. Each system reads some of them. An optional
/// value that is not set stands for the system's own default. systems/options.cpp has the
/// table with the name, range and help text of each.
struct Options {
  double variance = 1;  ///< sigma^2 of every weight's prior
  /// A weight's prior precision is multiplied by (1 + information about it)^prior_exponent.
  double prior_exponent = 0;
  double tolerance = 1e-4;  ///< estimated relative distance to the optimal objective
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  ClassWeights class_weight = {};
  /// The temperature T: probabilities become p(label | row)^(1 / T), normalised. Above 1
  /// they are less certain; unset means 1.
  std::optional<double> calibration = {};
  /// The weight of an unlabelled row. 0 ignores these rows; unset means kUnlabelledWeight.
  std::optional<double> unlabelled_weight = {};
  /// An unlabelled row gets labels q(y) proportional to r(y) p(y | row)^sharpen, where r
  /// keeps the total of each label; unset means kSharpen.
  std::optional<double> sharpen = {};
  /// mixw: weight of a source row. Unset: 1, or less if the source rows would then weigh
  /// more in total than the target rows; both weigh the same in that case.
  std::optional<double> out_weight = {};
  std::optional<double> source_variance = {};  ///< of source fits; unset: `variance`
  /// lini: weight of the target's own model; unset: by cross-validation.
  std::optional<double> interpolation = {};
  SourceFeatures source_features = SourceFeatures::both;  ///< feats
  int folds = 5;                                          ///< of the target's rows
  int rounds = 5;  ///< of conditional EM; kRoundsUntilSettled: as many as it takes
  BetaPrior beta = {};
  std::size_t gate_features = 0;  ///< how many features the gate sees; 0: all
  bool learn_share = true;
  double first_share = 0.5;                           ///< the initial pi of every domain
  std::map<std::string, double> first_share_of = {};  ///< the initial pi of some domains
  std::optional<EStepChoice> e_step = {};
  std::optional<Centre> centre = {};
  std::optional<double> specific_variance = {};  ///< of the specific experts' weights
  std::optional<Gate> gate = {};
  double gate_variance = 1;
  double temperature = 1;
  int psi_sweeps = 3;
  std::optional<PsiStep> psi_step = {};  ///< unset: sweep, or lbfgs on several ranks
  Refresh refresh = Refresh::step;       ///< when the E-step is renewed
  /// The members of a combination. Empty: all members of the system, with weights by
  /// cross-validation.
  std::vector<Member> members = {};
  std::uint64_t seed = 1;

  bool operator==(const Options&) const = default;
};

/// Sets an option by its name on the command line. Throws UsageError for an unknown name or
/// a bad value.
void set_option(Options& options, std::string_view name, std::string_view value);
void set_options(Options& options, const Settings& settings);

class MixingWeights;
class SourceFits;
class WarmStarts;

/// A model used in place of the rows of the source domains. The data's vocabulary and
/// labels begin with those of the model.
struct FormerModel {
  std::shared_ptr<const Predictor> predictor;
  std::uint32_t domain = 0;  ///< every row is predicted as a row of this domain
  /// [F][Y] over the data's vocabulary; empty if the model is not a single linear model.
  std::vector<double> weights;
};

/// How a fit runs: everything except its data and its options.
struct FitContext {
  const Execution& exec;
  bool strict = false;          ///< throw NotConverged if the tolerance is not reached
  std::string checkpoint = {};  ///< save each round to this file, and resume from it
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< after each maximum entropy fit
  std::function<void(const MixtureStep&)> on_step = {};
  /// Called when conditional EM has ended.
  std::function<void(const MixtureEnd&)> on_mixture = {};
  /// Called by a pool with its members and the weights that it found.
  std::function<void(const std::vector<Member>&)> on_members = {};
  /// Cache of source models, shared by fits on the same source rows.
  std::shared_ptr<SourceFits> source_fits = {};
  /// Where the last fit ended; the next one starts there. Its rows may differ: refits with
  /// unlabelled rows start from the fit without them.
  std::shared_ptr<WarmStarts> warm_starts = {};
  /// The weights of a combination's members that an earlier fit has found. Null: every fit
  /// finds its own.
  std::shared_ptr<MixingWeights> mixing = {};
  /// A model in place of source rows, for systems with SystemTraits::takes_former.
  std::shared_ptr<const FormerModel> former = {};
};

/// About how much work a system takes compared with mix on the same rows. Comparisons
/// forecast their time from it. docs/performance.md has the times of single fits.
struct SystemCost {
  double search = 15;  ///< passes of a search on a fold / passes of one fit of mix there
  double fit = 1;      ///< passes of a fit with the chosen settings / those of mix
  double pass = 1;     ///< time of one counted pass / that of a pass of mix
};

/// The properties of a system.
struct SystemTraits {
  std::string name;     ///< "mix"
  std::string summary;  ///< its line in --help
  SystemCost cost = {};
  bool needs_source = true;
  bool takes_former = false;            ///< a model can replace the source rows
  bool needs_former_weights = false;    ///< that model must be a single linear model
  bool has_gate = false;                ///< its models give P(general | row)
  bool in_curves = false;               ///< learning curves include it by default
  bool finds_member_weights = false;    ///< the fit finds them; otherwise tuning does
  std::vector<std::string> reads = {};  ///< names of the options that it reads
  Settings defaults = {};               ///< its own defaults for some options
  /// The options that tuning chooses, most important first, with their start values. A
  /// value "=NAME" follows the option NAME until tuning finds a better one.
  Settings tuned = {};
  /// Other start values: the search begins with these or with `tuned`, whichever score better.
  Settings other_start = {};
  /// Start values of a second search. It is made only if they, or they with fewer rounds,
  /// score better than everything that the first search found.
  Settings rival = {};
  /// The tuned option (`rounds`) for which one fit also gives the results of all smaller
  /// values; "" if there is none.
  std::string passed = {};
};

/// A method to learn from K domains for one of them. Stateless; one object per name.
class System {
 public:
  explicit System(SystemTraits traits) : traits_(std::move(traits)) {}
  virtual ~System() = default;
  const SystemTraits& traits() const { return traits_; }
  const std::string& name() const { return traits_.name; }

  /// Fits on all labelled rows, weighted by Options::class_weight, and by self-training on
  /// the unlabelled rows of `data`. The predictor's probabilities have the temperature
  /// Options::calibration. Throws UsageError when this system cannot be fitted: no source
  /// domain, a target without rows.
  PredictorPtr fit(const Dataset& data, std::uint32_t target, const Options& options,
                   const FitContext& context) const;
  /// Returns a fit for each value of an option. If the option is SystemTraits::passed, a
  /// single fit gives all of them. Each is the same as a fit with that value alone.
  std::vector<PredictorPtr> fit_each(const Dataset& data, std::uint32_t target,
                                     const Options& options, std::string_view name,
                                     const std::vector<std::string>& values,
                                     const FitContext& context) const;
  /// Like fit(), but without Options::class_weight and Options::calibration. For systems
  /// that fit other systems.
  PredictorPtr learn(const Dataset& data, std::uint32_t target, const Options& options,
                     const FitContext& context) const;
  /// Like learn(), but on the labelled rows alone.
  virtual PredictorPtr fit_rows(const Dataset& data, std::uint32_t target,
                                const Options& options,
                                const FitContext& context) const = 0;
  /// The same for each value of an option.
  virtual std::vector<PredictorPtr> fit_rows_each(const Dataset& data, std::uint32_t target,
                                                  const Options& options,
                                                  std::string_view name,
                                                  const std::vector<std::string>& values,
                                                  const FitContext& context) const;
  /// The systems that a combination combines; empty for other systems. Tuning chooses the
  /// settings of each member on its own.
  virtual std::vector<const System*> members() const { return {}; }
  /// Sets options to what tuning chose.
  virtual void apply(const Settings& settings, Options& options) const {
    set_options(options, settings);
  }
  /// The options that tuning chooses, with their start values.
  virtual Settings tuning_start(const Dataset& /*data*/, std::uint32_t /*target*/) const {
    return traits_.tuned;
  }
  /// `options` with the system's own defaults for those that are not set.
  Options completed(Options options) const;
  /// Every option that the system reads, with the value that it uses, except for options
  /// that follow from others or from the data. For provenance and digests.
  Settings record(const Options& options) const;

 private:
  SystemTraits traits_;
};

/// Throws UsageError if one of the `given` options is read by none of `systems`: otherwise
/// nobody would notice that it has no effect.
void refuse_unread(std::span<const System* const> systems,
                   const std::vector<std::string>& given);

/// Every system, in the order of --help.
std::span<const System* const> systems();

/// Throws UsageError if there was a system of this name once, and names its successor.
void refuse_former_system(std::string_view name);

/// Throws UsageError with a suggestion for an unknown name.
const System& find_system(std::string_view name);

/// Checks data and options (at least two labels, a target with rows, ...), fits, and
/// returns the model with its vocabulary and provenance. ModelInfo::options becomes
/// `recorded` followed by the options that the system reads.
Model train_model(const Dataset& data, std::string_view system, const std::string& target,
                  const Options& options, Settings recorded, const FitContext& context);

}  // namespace megadapt
