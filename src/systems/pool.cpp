// pool: the log-linear pool of Mix, Prior and EasyAdapt. Each is one linear model of the
// target's rows, so their weighted sum is one too (docs/derivation.md §7).
#include "systems/pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dataset/folds.hpp"
#include "execution/collectives.hpp"
#include "models/predictors.hpp"
#include "optimize/information_prior.hpp"
#include "systems/combination_weights.hpp"
#include "systems/feature_copies.hpp"
#include "systems/fit_memory.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

// Fits without a fold are used only to find the members' weights, so they may stop earlier:
// at this multiple of the tolerance, but not above kLoosest unless the tolerance itself is.
constexpr double kLooser = 10;
constexpr double kLoosest = 1e-2;

using Matrices = std::vector<std::vector<double>>;  // [members][F][Y]

/// Where the fits of Prior, EasyAdapt and Mix start. If that is not known, Prior starts from
/// the source's weights, EasyAdapt from Prior's result, and Mix from EasyAdapt's.
struct Starts {
  std::vector<double> prior = {};   // [F][Y]
  std::vector<double> copies = {};  // [2][F][Y]
  std::vector<double> mix = {};     // [F][Y]

  bool known() const { return !prior.empty() && !copies.empty() && !mix.empty(); }
};

/// The members' fits. Unless told otherwise, all of them start from weights that were fitted
/// to the source's rows alone, so a fit without some of the target's rows does not depend on
/// the labels of these rows in any way.
class PoolExperts {
 public:
  PoolExperts(const Dataset& data, std::uint32_t target,
              const std::vector<PoolMember>& members, const FitContext& context)
      : data_(data),
        members_(members),
        all_rows_(all_rows(data)),
        own_rows_(data.rows_of(target)) {
    const auto source =
        source_rows(data, target, pool_system().name(), context.exec.ranks());
    for (const PoolMember& member : members) {
      if (member.system == &mix_system()) all_.emplace(data, all_rows_, context.exec);
      if (member.system == &prior_system()) {
        own_.emplace(data, own_rows_, context.exec);
        source_ = fit_source(data, source, for_source(member.options), context);
      }
      if (member.system == &easy_adapt_system()) {
        copies_.emplace(data, std::vector{target}, member.options, context.exec);
      }
    }
  }

  /// Returns the members' weights for the target, fitted to rows of these weights [N] and
  /// to a multiple of the tolerance, and sets `starts` to where the fits ended. If `starts`
  /// are not known, Prior, which needs the target's rows alone, is fitted first; EasyAdapt
  /// starts from its result, and Mix from that of EasyAdapt. No fit then starts from a fit to
  /// other rows, so rows of weight 0 do not change a bit of the result.
  Matrices fit(std::span<const double> row_weight, double looser, Starts& starts,
               const FitContext& context) const {
    Matrices fitted(members_.size());
    const bool known = starts.known();
    if (!known) starts = {.mix = {source().begin(), source().end()}};
    for (const System* system : {&prior_system(), &easy_adapt_system(), &mix_system()}) {
      for (std::size_t m = 0; m < members_.size(); ++m) {
        if (members_[m].system != system) continue;
        Options options = members_[m].options;
        options.tolerance =
            std::max(options.tolerance, std::min(looser * options.tolerance, kLoosest));
        fitted[m] = fit_member(*system, row_weight, options, known, starts, context);
      }
    }
    return fitted;
  }

 private:
  std::span<const double> source() const {
    if (!source_) return {};
    return *source_;
  }

  std::vector<double> gather(std::span<const double> values) const {
    std::vector<double> own;
    for (const std::size_t n : own_rows_) own.push_back(values[n]);
    return own;
  }

  // Returns a member's weights and keeps them in `starts`. Unless the starts are known, also
  // sets where later members start.
  std::vector<double> fit_member(const System& system, std::span<const double> row_weight,
                                 const Options& options, bool known, Starts& starts,
                                 const FitContext& context) const {
    if (&system == &mix_system()) {
      return starts.mix =
                 fit_linear(*all_, all_rows_, row_weight, {}, starts.mix, options, context);
    }
    if (&system == &prior_system()) {
      starts.prior = fit_linear(*own_, own_rows_, gather(row_weight), source(),
                                starts.prior, options, context);
      if (known) return starts.prior;
      starts.copies.assign(source().begin(), source().end());
      for (std::size_t i = 0; i < starts.prior.size(); ++i) {
        starts.copies.push_back(starts.prior[i] - starts.copies[i]);
      }
      return starts.prior;
    }
    starts.copies = copies_->fit(row_weight, starts.copies, options.tolerance, context);
    if (!known) {
      starts.mix.assign(
          starts.copies.begin(),
          starts.copies.begin() + static_cast<std::ptrdiff_t>(starts.copies.size() / 2));
    }
    return copies_->expert(starts.copies, 0);
  }

  std::vector<double> fit_linear(const MaxentProblem& problem,
                                 std::span<const std::size_t> rows,
                                 std::span<const double> row_weight,
                                 std::span<const double> mean,
                                 std::span<const double> start, const Options& options,
                                 const FitContext& context) const {
    const std::vector<double> factor = information_factor(
        data_, rows, row_weight, options.prior_exponent, context.exec.ranks());
    return solve(problem, row_weight, {options.variance, mean, factor}, start, options,
                 context);
  }

  const Dataset& data_;
  const std::vector<PoolMember>& members_;
  std::vector<std::size_t> all_rows_, own_rows_;
  std::optional<MaxentProblem> all_, own_;
  std::optional<FeatureCopies> copies_;
  std::shared_ptr<const std::vector<double>> source_;  // weights of Prior's source model
};

/// Folds of the target's rows, and the number and total weight of the rows in each.
struct Folds {
  std::vector<std::size_t> rows;    // the target's
  std::vector<std::uint32_t> fold;  // [rows]
  std::vector<double> count;        // [folds]; rows of all ranks
  std::vector<double> weight;       // [folds]; their weight

  double total_count() const { return std::accumulate(count.begin(), count.end(), 0.0); }
  double total_weight() const { return std::accumulate(weight.begin(), weight.end(), 0.0); }
  bool can_tell() const {
    std::size_t usable = 0;
    for (std::size_t k = 0; k < count.size(); ++k) {
      if (count[k] == 0) continue;
      ++usable;
      if (!(total_weight() - weight[k] > 0)) return false;
    }
    return usable >= 2 && total_count() >= kFewestRowsToTell;
  }
};

Folds deal(const Dataset& data, std::uint32_t target, const Options& options,
           Communicator& ranks) {
  Folds folds;
  folds.rows = data.rows_of(target);
  const auto parts = static_cast<std::uint32_t>(options.folds);
  folds.fold = deal_folds(data, folds.rows, parts, options.seed, ranks);
  folds.count.resize(parts);
  folds.weight.resize(parts);
  for (std::size_t i = 0; i < folds.rows.size(); ++i) {
    ++folds.count[folds.fold[i]];
    folds.weight[folds.fold[i]] += static_cast<double>(data.weight[folds.rows[i]]);
  }
  ranks.sum(folds.count);
  ranks.sum(folds.weight);
  return folds;
}

void add_scores(RowView row, std::span<const double> weights, std::span<double> scores) {
  const std::size_t Y = scores.size();
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    const double x = row.values.empty() ? 1 : static_cast<double>(row.values[i]);
    const double* lambda = weights.data() + row.features[i] * Y;
    for (std::size_t y = 0; y < Y; ++y) scores[y] += x * lambda[y];
  }
}

std::optional<UnseenScores> scores_by(const PoolExperts& experts, const Dataset& data,
                                      const Folds& folds, std::size_t members,
                                      const FitContext& context) {
  if (!folds.can_tell()) return std::nullopt;
  const std::size_t Y = data.num_labels();
  UnseenScores unseen;
  unseen.num_labels = data.num_labels();
  for (const std::size_t n : folds.rows) {
    unseen.label.push_back(data.label[n]);
    unseen.weight.push_back(static_cast<double>(data.weight[n]));
  }
  unseen.score.assign(members, std::vector<double>(folds.rows.size() * Y));
  for (std::size_t k = 0; k < folds.count.size(); ++k) {
    if (folds.count[k] == 0) continue;
    std::vector<double> kept(data.weight.begin(), data.weight.end());
    for (std::size_t i = 0; i < folds.rows.size(); ++i) {
      if (folds.fold[i] == k) kept[folds.rows[i]] = 0;
    }
    Starts unknown;
    const Matrices without = experts.fit(kept, kLooser, unknown, context);
    for (std::size_t i = 0; i < folds.rows.size(); ++i) {
      if (folds.fold[i] != k) continue;
      for (std::size_t m = 0; m < members; ++m) {
        add_scores(data.rows[folds.rows[i]], without[m],
                   std::span(unseen.score[m]).subspan(i * Y, Y));
      }
    }
  }
  return unseen;
}

// Returns where the last fit ended, which may have been to fewer rows; unknown if there is
// none. The weights are kept in the form of in_one(). `size` is that of one matrix.
Starts last_fit(const FitContext& context, std::size_t size) {
  const std::span<const double> all = warm_start(context);
  if (all.size() != 4 * size) return {};
  const auto part = [&](std::size_t first, std::size_t count) {
    const auto values = all.subspan(first * size, count * size);
    return std::vector<double>(values.begin(), values.end());
  };
  return {.prior = part(0, 1), .copies = part(1, 2), .mix = part(3, 1)};
}

std::vector<double> in_one(const Starts& starts) {
  std::vector<double> all = starts.prior;
  all.insert(all.end(), starts.copies.begin(), starts.copies.end());
  all.insert(all.end(), starts.mix.begin(), starts.mix.end());
  return all;
}

/// Renames variances: what Prior calls `variance` is that of the deviation from the source.
Options for_prior(const Options& options) {
  Options prior = options;
  prior.variance = *options.specific_variance;
  prior.source_variance = options.source_variance.value_or(options.variance);
  return prior;
}

class Pool final : public System {
 public:
  using System::System;

  std::vector<const System*> members() const override {
    return {&mix_system(), &prior_system(), &easy_adapt_system()};
  }

  /// Takes settings of members, such as "mix.variance". Without any, the list of members
  /// stays empty.
  void apply(const Settings& settings, Options& options) const override {
    options.members.clear();
    if (settings.empty()) return;
    for (const System* system : members()) {
      options.members.push_back({.system = system->name(), .settings = {}});
    }
    for (const auto& [name, value] : settings) {
      Member& member = member_of(name, options.members);
      const std::string option = name.substr(member.system.size() + 1);
      Options scratch;
      set_option(scratch, option, value);
      member.settings.emplace_back(option, value);
    }
  }

  std::unique_ptr<Predictor> fit_rows(const Dataset& data, std::uint32_t target,
                                      const Options& given,
                                      const FitContext& context) const override {
    const Options options = completed(given);
    const std::vector<PoolMember> members = pool_members(options);
    const PoolExperts experts(data, target, members, context);
    const std::vector<double> row_weight(data.weight.begin(), data.weight.end());
    Starts starts = last_fit(context, std::size_t{data.num_features()} * data.num_labels());
    const Matrices fitted = experts.fit(row_weight, 1, starts, context);
    if (context.warm_starts) context.warm_starts->weights = in_one(starts);
    const std::vector<double> weights =
        member_weights(experts, data, target, members, options, context);
    if (context.on_members) context.on_members(described(members, weights));
    return std::make_unique<MaxentPredictor>(data.num_labels(), pooled(fitted, weights));
  }

 private:
  static Member& member_of(const std::string& setting, std::vector<Member>& members) {
    for (Member& member : members) {
      if (setting.starts_with(member.system + ".")) return member;
    }
    throw UsageError(fmt::format("'{}' is not a setting of a member of pool", setting),
                     "write the member before the option, such as mix.variance");
  }

  static std::vector<double> member_weights(const PoolExperts& experts, const Dataset& data,
                                            std::uint32_t target,
                                            const std::vector<PoolMember>& members,
                                            const Options& options,
                                            const FitContext& context) {
    std::vector<double> weights;
    for (const PoolMember& member : members) {
      if (member.weight) weights.push_back(*member.weight);
    }
    if (weights.size() == members.size()) return weights;
    weights.assign(members.size(), 1 / static_cast<double>(members.size()));
    if (members.size() == 1) return weights;
    return MixingWeights::get(context.mixing, pool_system().name(), [&] {
      const Folds folds = deal(data, target, options, context.exec.ranks());
      const auto unseen = scores_by(experts, data, folds, members.size(), quiet(context));
      return unseen ? pool_weights(*unseen, context.exec.ranks()) : weights;
    });
  }

  static std::vector<Member> described(const std::vector<PoolMember>& members,
                                       const std::vector<double>& weights) {
    std::vector<Member> all;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const System& system = *members[m].system;
      std::vector<std::string> names;
      for (const auto& [name, value] : system.traits().tuned) names.push_back(name);
      all.push_back(
          {system.name(), option_table().record(members[m].options, names), weights[m]});
    }
    return all;
  }
};

}  // namespace

std::vector<PoolMember> pool_members(const Options& options) {
  if (options.members.empty()) {
    return {{&mix_system(), options},
            {&prior_system(), for_prior(options)},
            {&easy_adapt_system(), options}};
  }
  Options plain = options;
  plain.members.clear();
  std::vector<PoolMember> members;
  for (const Member& member : options.members) {
    const System& system = find_system(member.system);
    const auto known = pool_system().members();
    if (std::find(known.begin(), known.end(), &system) == known.end()) {
      throw UsageError(fmt::format("'{}' cannot be a member of pool", member.system),
                       "use mix, prior and easyadapt");
    }
    Options own = plain;
    set_options(own, member.settings);
    members.push_back({&system, system.completed(own), member.weight});
  }
  return members;
}

std::optional<UnseenScores> unseen_scores(const Dataset& data, std::uint32_t target,
                                          const std::vector<PoolMember>& members,
                                          const Options& options,
                                          const FitContext& context) {
  const PoolExperts experts(data, target, members, context);
  return scores_by(experts, data, deal(data, target, options, context.exec.ranks()),
                   members.size(), context);
}

const System& pool_system() {
  static const Pool system(
      {.name = "pool",
       .summary = "mix, prior and easyadapt as one linear model",
       .cost = {.search = 0.7, .fit = 0.5, .pass = 8},
       .in_curves = true,
       .finds_member_weights = true,
       .reads = solver_options_and({"specific-variance", "source-variance", "folds"}),
       .defaults = {{"specific-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
