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

/// What the MEGA systems can be told. What is not given is the system's own default: megam
/// is the paper's model, megaloo ours.
struct MegaOptions {
  int rounds = 5;
  std::optional<double> specific_variance = {};  ///< of the specific experts' weights
  std::optional<double> prior_exponent = {};  ///< how much tighter known weights are held
  BetaPrior beta = {};
  std::size_t gate_features = 0;
  bool learn_share = true;
  std::optional<double> first_share = {};             ///< pi to begin with, of every domain
  std::map<std::string, double> first_share_of = {};  ///< and of single ones
  std::optional<EStep> e_step = {};
  int folds = 5;  ///< of cross_fit
  std::optional<Centre> centre = {};
  std::optional<Gate> gate = {};
  double gate_variance = 1;
  double temperature = 1;
  int psi_sweeps = 3;
  std::optional<PsiStep> psi_step = {};  ///< else sweep, on several ranks lbfgs
  std::function<void(const MixtureStep&)> on_step = {};
  std::string checkpoint = {};  ///< each round is saved to this file and resumed from it
};

/// Names and values of options as the command line spells them: {"variance", "0.1"}.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A member of `stack` as tuning found it.
struct StackMember {
  std::string system;
  Settings settings;
  double weight = 0;  ///< in the combination
};

class SourceFits;
class WarmStarts;

/// What systems can be told. Each reads what concerns it; every field has the documented
/// default of the command line.
struct AdaptationOptions {
  double variance = 1;      ///< sigma^2 of every weight's prior
  double tolerance = 1e-4;  ///< estimated relative distance to the optimal objective
  int max_passes = 1000;
  Optimizer optimizer = Optimizer::newton_cg;
  Precision precision = Precision::single_;
  bool strict = false;    ///< throw NotConverged instead of returning
  double out_weight = 0;  ///< mixw: weight of a source row; 0 makes sides equinumerous
  std::optional<double> source_variance = {};  ///< of source fits; else `variance`
  std::optional<double> interpolation = {};    ///< lini: weight of the target's own model;
                                               ///< else by cross-validation
  SourceFeatures source_features = SourceFeatures::both;  ///< feats
  double specific_variance = 1;  ///< easyadapt: of the domains' own copies of weights
  int folds = 5;                 ///< lini and stack: of the target's rows
  MegaOptions mega = {};
  std::vector<StackMember> stack = {};  ///< stack: members and their weights; empty: all
                                        ///< members, with weights by cross-validation
  std::uint64_t seed = 1;
  /// Source models that fits on the same source rows share (see tuning.hpp).
  std::shared_ptr<SourceFits> source_fits = {};
  /// Where the last fit on the same rows ended, to start the next one from.
  std::shared_ptr<WarmStarts> warm_starts = {};
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const MaxentFit&)> on_fit = {};  ///< after each maximum entropy fit
};

/// Sets one option by its name on the command line: variance, source-variance, out-weight,
/// specific-variance, prior-exponent, interpolation, source-features, rounds, beta, e-step,
/// centre, gate, gate-features, gate-variance, pi, pi-init, anneal,
/// psi-sweeps, psi-step, folds, tolerance, max-passes, optimizer, precision. UsageError for
/// another name or a bad value.
void set_option(AdaptationOptions& options, std::string_view name, std::string_view value);
void set_options(AdaptationOptions& options, const Settings& settings);

/// Something that tuning may choose about a system.
struct Knob {
  std::string name;                  ///< as in set_option
  std::vector<std::string> choices;  ///< the search begins with the first
  double step = 0;  ///< > 0: a number above 0, whose neighbours are this factor away
};

/// A way to learn from K domains for one of them. Stateless; one object per name.
class Adaptation {
 public:
  virtual ~Adaptation() = default;
  virtual std::string_view name() const = 0;     ///< "mix"
  virtual std::string_view summary() const = 0;  ///< its line in --help
  /// Fits on all labelled rows. Throws UsageError when the request makes no sense for this
  /// system: no source domain, a target without rows.
  virtual std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                         const AdaptationOptions& options,
                                         const Execution& exec) const = 0;
  /// What tuning should choose, the most important first.
  virtual std::vector<Knob> knobs(const Dataset& data, std::uint32_t target) const = 0;
};

/// Every system, in the order of --help.
std::span<const Adaptation* const> adaptations();

/// UsageError with a suggestion for an unknown name.
const Adaptation& find_adaptation(std::string_view name);

/// Checks the data (at least two labels, a target with rows, ...), fits, and wraps the
/// result with its vocabulary and provenance. `recorded` goes into ModelInfo::options.
Model train_model(Dataset data, std::string_view system, const std::string& target,
                  const AdaptationOptions& options,
                  std::vector<std::pair<std::string, std::string>> recorded,
                  const Execution& exec);

}  // namespace megadapt
