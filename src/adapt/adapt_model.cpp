#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "dataset/select_rows.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "megadapt/adapt.hpp"
#include "megadapt/comparison.hpp"
#include "models/predictors.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kManyRows = 2000;  // with more rows, testing on one fifth is enough
constexpr double kHeldOutShare = 0.2;

bool reads(const System& system, const std::string& option) {
  return std::ranges::find(system.traits().reads, option) != system.traits().reads.end();
}

/// Returns the systems to try, in the order of --help.
std::vector<std::string> candidates(const std::string& asked, const Model& former) {
  std::vector<std::string> names;
  for (const System* system : systems()) {
    if (system->traits().takes_former) names.push_back(system->name());
  }
  if (asked.empty()) return names;
  const System& system = find_system(asked);
  if (system.traits().takes_former) return {asked};
  const std::string usable = fmt::format("{}", fmt::join(names, ", "));
  if (&system == &only_target_system()) {
    throw UsageError(fmt::format("{} does not use the old model", asked),
                     fmt::format("use one of {}, or train it on the new rows: megadapt "
                                 "train --system {}",
                                 usable, asked));
  }
  std::vector<std::string> files;
  for (const SourceFile& source : former.info.sources) {
    files.push_back(
        fmt::format("{} ({} rows of {})", source.file, source.rows, source.domain));
  }
  throw UsageError(
      fmt::format("{} needs the rows that the old model was trained on: {}", asked,
                  files.empty() ? "it does not say which"
                                : fmt::format("{}", fmt::join(files, ", "))),
      fmt::format("use one of {}, or give those files to 'megadapt train --system {}'",
                  usable, asked));
}

/// Returns the weights [F][Y] of the linear model that predicts rows of `domain`, over the
/// vocabulary and labels of `data`, which begin with the model's. Empty if the model is not
/// linear.
std::vector<double> linear_weights(const Model& former, std::uint32_t domain,
                                   const Dataset& data) {
  const std::optional<LinearModel> linear = linear_model(former, domain);
  if (!linear) return {};
  const std::size_t Y = data.num_labels();
  std::vector<double> weights(std::size_t{data.num_features()} * Y);
  for (std::uint32_t f = 0; f < linear->weights.num_features(); ++f) {
    for (std::uint32_t y = 0; y < linear->weights.num_labels; ++y) {
      weights[f * Y + y] = linear->weight(f, y);
    }
  }
  return weights;
}

std::shared_ptr<const FormerModel> as_source(Model& former, const Dataset& rows) {
  FormerModel source;
  const std::uint32_t target = rows.domain[0];
  const bool known = target < former.info.domains.size();
  source.domain = known || former.info.domains.empty() ? target : former.target();
  source.weights = linear_weights(former, source.domain, rows);
  source.predictor = std::move(former.predictor);
  return std::make_shared<const FormerModel>(std::move(source));
}

TuneOptions tuning_of(const AdaptOptions& options, std::size_t rows,
                      std::shared_ptr<const FormerModel> former) {
  TuneOptions tuning;
  tuning.folds = kDefaultFolds;
  if (rows > kManyRows) tuning.dev_fraction = kHeldOutShare;
  tuning.base = options.base;
  tuning.fixed = options.fixed;
  tuning.fixed.push_back("source-variance");  // the source is fitted already
  tuning.former = std::move(former);
  return tuning;
}

/// The rows to test on and their data set.
struct Judged {
  Dataset data;
  std::vector<std::size_t> rows;
};

/// Tunes, trains and tests on held-out rows; sets `judged` to those rows.
Comparison measure(const Dataset& rows, std::uint32_t target,
                   const std::vector<std::string>& systems, const TuneOptions& tuning,
                   const AdaptOptions& options, Judged& judged, const Execution& exec) {
  CompareOptions compared;
  compared.systems = systems;
  compared.tuning = tuning;
  compared.rank = Criterion::log_loss;
  compared.folds = kDefaultFolds;
  compared.on_progress = options.on_progress;
  if (rows.num_examples() <= kManyRows) {
    judged.data = rows;
    for (const Split& split :
         target_folds(rows, target, kDefaultFolds, options.base.seed)) {
      judged.rows.insert(judged.rows.end(), split.held_out.begin(), split.held_out.end());
    }
    return compare(rows, target, nullptr, compared, exec);
  }
  const Split split = target_split(rows, target, kHeldOutShare, options.base.seed);
  judged.data = select_rows(rows, split.held_out);
  judged.rows.resize(judged.data.num_examples());
  std::iota(judged.rows.begin(), judged.rows.end(), 0);
  return compare(select_rows(rows, split.train), target, &judged.data, compared, exec);
}

bool can_hold_out(const Dataset& rows, std::uint32_t target) {
  try {
    return !target_folds(rows, target, 2, 1).empty();
  } catch (const UsageError&) {
    return false;
  }
}

/// Fits the chosen system to all rows. The new model keeps the former one's domains,
/// sources and file.
Model fit_chosen(const Model& former, const Dataset& rows,
                 const std::shared_ptr<const FormerModel>& source, const Adapted& chosen,
                 const AdaptOptions& options, const Execution& exec) {
  FitContext context{exec};
  context.former = source;
  Model model =
      train_model(rows, chosen.system, std::string(rows.domains().name(rows.domain[0])),
                  chosen.options, {}, context);
  for (std::size_t d = 0; d < former.info.domains.size(); ++d) {
    model.info.domains[d].examples += former.info.domains[d].examples;
  }
  model.info.sources.insert(model.info.sources.begin(), former.info.sources.begin(),
                            former.info.sources.end());
  for (const auto& [name, value] : Settings{{"former", options.former_file},
                                            {"former-sha256", options.former_sha256},
                                            {"former-system", former.info.system}}) {
    model.info.options.emplace_back(name, value);
  }
  // The new predictor may contain the former one, whose weights are in its own mapped file.
  model.storage =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
          model.storage, former.storage);
  return model;
}

}  // namespace

const AdaptScore& Adapted::score(std::string_view name) const {
  for (const AdaptScore& score : scores) {
    if (score.system == name) return score;
  }
  throw UsageError(fmt::format("'{}' was not measured", name),
                   "`scores` lists what was measured");
}

bool Adapted::keep_old() const {
  return held_out > 0 && former().held_out.log_loss <= score(system).held_out.log_loss;
}

namespace {

/// Tunes every candidate on all rows. A candidate that cannot use the old model is left out
/// with the reason, unless the user asked for it.
std::map<std::string, Tuned> tune_all(const Dataset& rows, std::uint32_t target,
                                      const std::vector<std::string>& tried,
                                      const TuneOptions& tuning,
                                      std::map<std::string, std::string>& left_out,
                                      const Execution& exec) {
  std::map<std::string, Tuned> tuned;
  for (const std::string& name : tried) {
    try {
      const System& system = find_system(name);
      require_former(system, *tuning.former);
      TuneOptions own = tuning;
      std::erase_if(own.fixed, [&](const auto& fixed) { return !reads(system, fixed); });
      tuned[name] = tune(rows, name, target, own, exec);
    } catch (const UsageError& error) {
      if (tried.size() == 1) throw;
      left_out[name] = error.headline();
    }
  }
  return tuned;
}

double held_out_log_loss(const Tuned& tuned) {
  for (const Trial& trial : tuned.tried) {
    if (trial.settings == tuned.settings) return trial.log_loss;
  }
  return 0;  // nothing was held out
}

void add_scores(const Comparison& comparison, const Judged& judged, const Dataset& rows,
                const FormerModel& former, const std::map<std::string, Tuned>& tuned,
                const AdaptOptions& options, Adapted& result, const Execution& exec) {
  const FormerPredictor old(former.predictor, former.domain, rows.num_labels(),
                            rows.num_features());
  const Predictions by_former =
      predict_rows(old, judged.data, judged.rows, rows.domain[0], exec);
  result.scores.push_back(
      {.system = "former",
       .held_out = evaluate_rows(judged.data, judged.rows, rows.num_labels(), by_former,
                                 options.base.seed)});
  for (const SystemResult& system : comparison.systems) {
    const auto known = tuned.find(system.name);
    result.scores.push_back(
        {.system = system.name,
         .settings = known == tuned.end() ? system.tuned : known->second.settings,
         .held_out = system.evaluation,
         .left_out = system.left_out});
  }
  std::stable_partition(result.scores.begin(), result.scores.end(),
                        [](const AdaptScore& score) { return score.left_out.empty(); });
  result.held_out = judged.rows.size();
}

}  // namespace

Adapted adapt_model(Model former, Dataset rows, const AdaptOptions& options,
                    const Execution& exec) {
  const std::vector<std::string> tried = candidates(options.system, former);
  std::vector<const System*> systems;
  for (const std::string& name : tried) systems.push_back(&find_system(name));
  refuse_unread(systems, options.fixed);
  if (rows.num_examples() == 0) {
    throw UsageError("there are no rows to adapt to", "give labelled rows of the domain");
  }
  refuse_hopeless(rows);
  const std::uint32_t target = rows.domain[0];
  const auto source = as_source(former, rows);
  const TuneOptions tuning = tuning_of(options, rows.num_examples(), source);

  Adapted result;
  std::map<std::string, std::string> left_out;
  const std::map<std::string, Tuned> tuned =
      tune_all(rows, target, tried, tuning, left_out, exec);
  exec.throw_if_stopped();
  std::vector<std::string> measured = {only_target_system().name()};
  measured.insert(measured.end(), tried.begin(), tried.end());
  if (can_hold_out(rows, target)) {
    Judged judged;
    const Comparison comparison =
        measure(rows, target, measured, tuning, options, judged, exec);
    exec.throw_if_stopped();
    add_scores(comparison, judged, rows, *source, tuned, options, result, exec);
  } else {
    result.scores.push_back({.system = "former"});
    for (const std::string& name : measured) {
      result.scores.push_back({.system = name, .left_out = left_out[name]});
    }
  }

  const auto best =
      std::min_element(tuned.begin(), tuned.end(), [](const auto& a, const auto& b) {
        return held_out_log_loss(a.second) < held_out_log_loss(b.second);
      });
  result.system = best->first;
  result.options = best->second.options;
  result.model = fit_chosen(former, rows, source, result, options, exec);
  const ModelPart whole = parts_of(result.model);
  if (whole.has(PartRole::member)) result.interpolation = whole.children[0].share;
  result.new_features = rows.num_features() - former.features.size();
  for (std::size_t y = former.labels.size(); y < rows.num_labels(); ++y) {
    result.new_labels.emplace_back(rows.labels().name(static_cast<std::uint32_t>(y)));
  }
  return result;
}

}  // namespace megadapt
