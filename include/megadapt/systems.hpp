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

/// How far a piece of long work is; `fraction` in [0, 1] never falls within one `stage`.
struct Progress {
  std::string stage;
  double fraction = 0;
};

/// Names and values of options as the command line spells them: {"variance", "0.1"}. The
/// text of a number reads as that number, to the last bit.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// How the E-step judges, and by how many folds where it cross-fits.
struct EStepChoice {
  EStep how = EStep::training;
  int folds = 5;
  bool operator==(const EStepChoice&) const = default;
};

/// A member of a system that combines others, as tuning found it.
struct Member {
  std::string system;
  Settings settings;
  double weight = 0;  ///< in the combination
  bool operator==(const Member&) const = default;
};

/// What systems can be told: plain values. Each system reads what concerns it. An optional
/// value that is not given is the system's own default. systems/options.cpp holds the table
/// with the name, range and help of each.
struct Options {
  double variance = 1;      ///< sigma^2 of every weight's prior
  double tolerance = 1e-4;  ///< estimated relative distance to the optimal objective
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  std::optional<double> out_weight = {};       ///< mixw: weight of a source row; else so
                                               ///< that both sides weigh the same
  std::optional<double> source_variance = {};  ///< of source fits; else `variance`
  std::optional<double> interpolation = {};    ///< lini: weight of the target's own model;
                                               ///< else by cross-validation
  SourceFeatures source_features = SourceFeatures::both;  ///< feats
  int folds = 5;                                          ///< of the target's rows
  int rounds = 5;                                         ///< of conditional EM
  BetaPrior beta = {};
  std::size_t gate_features = 0;  ///< the most telling ones; 0: all
  bool learn_share = true;
  double first_share = 0.5;                           ///< pi to begin with, of every domain
  std::map<std::string, double> first_share_of = {};  ///< and of single ones
  std::optional<EStepChoice> e_step = {};
  std::optional<Centre> centre = {};
  std::optional<double> specific_variance = {};  ///< of the specific experts' weights
  std::optional<double> prior_exponent = {};  ///< how much tighter known weights are held
  std::optional<Gate> gate = {};
  double gate_variance = 1;
  double temperature = 1;
  int psi_sweeps = 3;
  std::optional<PsiStep> psi_step = {};  ///< else sweep, on several ranks lbfgs
  std::vector<Member> members = {};      ///< of a combination; empty: all of the system's
                                         ///< members, with weights by cross-validation
  std::uint64_t seed = 1;

  bool operator==(const Options&) const = default;
};

/// Sets one option by its name on the command line. UsageError for another name or a bad
/// value.
void set_option(Options& options, std::string_view name, std::string_view value);
void set_options(Options& options, const Settings& settings);

class SourceFits;
class WarmStarts;

/// A model that stands for the rows of the source domains. Its vocabulary and labels are
/// the first of the data's.
struct FormerModel {
  std::shared_ptr<const Predictor> predictor;
  std::uint32_t domain = 0;     ///< that rows are predicted as
  std::vector<double> weights;  ///< [F][Y] over the data's vocabulary; empty where the
                                ///< model is not one linear model
};

/// Everything about how a fit runs, beside its data and its options.
struct FitContext {
  const Execution& exec;
  bool strict = false;          ///< throw NotConverged instead of returning
  std::string checkpoint = {};  ///< each round is saved to this file and resumed from it
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< after each maximum entropy fit
  std::function<void(const MixtureStep&)> on_step = {};
  /// Source models that fits on the same source rows share.
  std::shared_ptr<SourceFits> source_fits = {};
  /// Where the last fit on the same rows ended, to start the next one from.
  std::shared_ptr<WarmStarts> warm_starts = {};
  /// Takes the place of source rows, for systems whose traits say so.
  std::shared_ptr<const FormerModel> former = {};
};

/// What a system says of itself.
struct SystemTraits {
  std::string name;     ///< "mix"
  std::string summary;  ///< its line in --help
  bool needs_source = true;
  bool takes_former = false;            ///< a model may stand for the source's rows
  bool needs_former_weights = false;    ///< and has to be one linear model
  bool has_gate = false;                ///< it tells how general a row is
  bool in_curves = false;               ///< learning curves show it unless told otherwise
  double cost = 0.3;                    ///< relative time that tuning and training takes
  std::vector<std::string> reads = {};  ///< names of the options that it reads
  Settings defaults = {};               ///< its own, for options that are not given
  Settings tuned = {};                  ///< options that tuning chooses, the most important
                                        ///< first, and where the search begins
};

/// A way to learn from K domains for one of them. Stateless; one object per name.
class System {
 public:
  explicit System(SystemTraits traits) : traits_(std::move(traits)) {}
  virtual ~System() = default;
  const SystemTraits& traits() const { return traits_; }
  const std::string& name() const { return traits_.name; }

  /// Fits on all labelled rows. Throws UsageError when the request makes no sense for this
  /// system: no source domain, a target without rows.
  virtual std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                         const Options& options,
                                         const FitContext& context) const = 0;
  /// The systems whose probabilities this one combines; empty for all but combinations.
  virtual std::vector<const System*> members() const { return {}; }
  /// What tuning chooses, and the values that the search begins with.
  virtual Settings tuning_start(const Dataset& /*data*/, std::uint32_t /*target*/) const {
    return traits_.tuned;
  }
  /// `options` with the system's own defaults where nothing is given.
  Options completed(Options options) const;
  /// Every option that the system reads, with the value that it uses; left out are those
  /// that follow from others or from the data. For provenance and for digests.
  Settings record(const Options& options) const;

 private:
  SystemTraits traits_;
};

/// Every system, in the order of --help.
std::span<const System* const> systems();

/// UsageError with a suggestion for an unknown name.
const System& find_system(std::string_view name);

/// Checks data and options (at least two labels, a target with rows, ...), fits, and wraps
/// the result with its vocabulary and provenance. `recorded` and then the options that the
/// system read go into ModelInfo::options.
Model train_model(Dataset data, std::string_view system, const std::string& target,
                  const Options& options, Settings recorded, const FitContext& context);

}  // namespace megadapt
