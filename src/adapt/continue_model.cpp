#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "adapt/continuation.hpp"
#include "adapt/former_view.hpp"
#include "adapt/held_out.hpp"
#include "megadapt/version.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

const std::array<std::string, 3> kSystems = {"prior", "feats", "lini"};

void refuse_system(const std::string& system, const Model& former) {
  if (system.empty() ||
      std::find(kSystems.begin(), kSystems.end(), system) != kSystems.end()) {
    return;
  }
  find_system(system);  // refuses what is no system at all
  if (system == "onlyi") {
    throw UsageError("onlyi has no use for the old model",
                     "train it on the new rows: megadapt train --system onlyi");
  }
  std::vector<std::string> files;
  for (const SourceFile& source : former.info.sources) {
    files.push_back(
        fmt::format("{} ({} rows of {})", source.file, source.rows, source.domain));
  }
  throw UsageError(
      fmt::format("{} needs the rows that the old model was trained on: {}", system,
                  files.empty() ? "it does not say which"
                                : fmt::format("{}", fmt::join(files, ", "))),
      fmt::format("use prior, feats or lini, or give those files to 'megadapt train "
                  "--system {}'",
                  system));
}

void refuse_hopeless(const Dataset& data, const ContinuationOptions& options) {
  if (data.num_examples() == 0) {
    throw UsageError("there are no rows to adapt to", "give labelled rows of the domain");
  }
  if (data.num_labels() < 2) {
    throw UsageError("the old model and the new rows have one label together",
                     "adapting needs at least two labels");
  }
  if (std::none_of(data.weight.begin(), data.weight.end(), [](float w) { return w > 0; })) {
    throw UsageError("every row has weight 0", "give some rows a positive weight");
  }
  if (options.variance && !(*options.variance > 0)) {
    throw UsageError(fmt::format("the variance {} is not positive", *options.variance),
                     "give --variance a number above 0");
  }
  if (options.interpolation &&
      !(*options.interpolation >= 0 && *options.interpolation <= 1)) {
    throw UsageError(
        fmt::format("the interpolation weight {} is not in [0, 1]", *options.interpolation),
        "give the new rows' own model a weight from 0 to 1");
  }
}

Evaluation evaluate(const FormerView& view, const std::vector<bool>& predicted,
                    const std::vector<double>& probability, std::uint64_t seed) {
  const Dataset& data = view.data();
  const std::size_t Y = data.num_labels();
  Evaluator evaluator(data.labels().names());
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (!predicted[n]) continue;
    evaluator.add(data.label_name(data.label[n]), std::span(probability).subspan(n * Y, Y),
                  data.group_name(n));
  }
  return evaluator.result(seed);
}

std::vector<double> former_probabilities(const FormerView& view) {
  std::vector<double> all;
  for (std::size_t n = 0; n < view.data().num_examples(); ++n) {
    all.insert(all.end(), view.former(n).begin(), view.former(n).end());
  }
  return all;
}

/// The systems that can and should be tried; those that cannot join `scores` with a reason.
std::vector<std::string> usable_systems(const FormerView& view,
                                        const ContinuationOptions& options,
                                        std::vector<ContinuationScore>& left_out) {
  std::vector<std::string> usable;
  for (const std::string& system : kSystems) {
    if (!options.system.empty() && system != options.system) continue;
    const std::string obstacle = view.obstacle(system);
    if (obstacle.empty()) {
      usable.push_back(system);
    } else if (system == options.system) {
      throw UsageError(fmt::format("{}: {}", system, obstacle), "use feats or lini");
    } else {
      left_out.push_back({.system = system, .held_out = {}, .left_out = obstacle});
    }
  }
  return usable;
}

std::unique_ptr<Predictor> fit_all(const FormerView& view, const std::string& system,
                                   const HeldOutChoice& choice,
                                   std::unique_ptr<Predictor> former,
                                   const ContinuationOptions& options,
                                   const Execution& exec) {
  const Dataset& data = view.data();
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::string base = system == "lini" ? "onlyi" : system;
  const MaxentFit fit =
      view.fit(base, view.problem(base, rows, exec), rows, choice.variance, {}, exec);
  MaxentPredictor own(data.num_labels(), fit.weights);
  if (system == "prior") return std::make_unique<MaxentPredictor>(std::move(own));
  auto kept = std::make_unique<FormerPredictor>(std::move(former), view.former_domain(),
                                                data.num_labels(), data.num_features());
  std::vector<std::unique_ptr<Predictor>> parts;
  if (system == "feats") {
    parts.push_back(std::move(kept));
    return std::make_unique<SourceFeaturesPredictor>(
        std::move(parts), options.source_features, std::move(own));
  }
  parts.push_back(std::make_unique<MaxentPredictor>(std::move(own)));
  parts.push_back(std::move(kept));
  return std::make_unique<CombinationPredictor>(
      std::move(parts), std::vector<double>{choice.own_weight, 1 - choice.own_weight},
      std::vector<std::string>{std::string(data.domains().name(view.target())), "former"});
}

ModelInfo next_info(const Model& former, const Dataset& data, const std::string& system,
                    const HeldOutChoice& choice, const ContinuationOptions& options) {
  ModelInfo info = former.info;
  info.system = system;
  for (ModelInfo::Domain& domain : info.domains) domain.general_share.reset();
  const std::uint32_t target = data.domain[0];
  info.target = data.domains().name(target);
  if (target == info.domains.size()) info.domains.push_back({info.target, 0, std::nullopt});
  info.domains[target].examples += data.num_examples();
  info.options = {{"variance", fmt::to_string(choice.variance)},
                  {"tolerance", fmt::to_string(options.tolerance)},
                  {"max-passes", fmt::to_string(options.max_passes)}};
  if (system == "lini") {
    info.options.emplace_back("interpolation", fmt::to_string(choice.own_weight));
  }
  info.options.emplace_back("former", options.former_file);
  info.options.emplace_back("former-sha256", options.former_sha256);
  info.options.emplace_back("former-system", former.info.system);
  info.seed = options.seed;
  info.sources.insert(info.sources.end(), data.sources.begin(), data.sources.end());
  info.created_by = fmt::format("megadapt {}", version());
  return info;
}

}  // namespace

const ContinuationScore& Continuation::score(std::string_view name) const {
  const auto found =
      std::find_if(scores.begin(), scores.end(),
                   [&](const ContinuationScore& score) { return score.system == name; });
  if (found == scores.end()) {
    throw UsageError(fmt::format("'{}' was not measured", name), "look into `scores`");
  }
  return *found;
}

Continuation continue_model(Model former, Dataset rows, const ContinuationOptions& options,
                            const Execution& exec) {
  refuse_system(options.system, former);
  refuse_hopeless(rows, options);
  const FormerView view(former, rows, options);
  Continuation result;
  std::vector<ContinuationScore> left_out;
  const std::vector<std::string> tried = usable_systems(view, options, left_out);

  std::vector<std::string> measured = {"onlyi"};
  measured.insert(measured.end(), tried.begin(), tried.end());
  HeldOutPredictions predictions;
  HeldOutChoices choices = HeldOut(view, measured, options).run(predictions, exec);
  exec.throw_if_stopped();

  const auto& held_out = predictions.predicted;
  result.scores.push_back(
      {.system = "former",
       .held_out = evaluate(view, held_out, former_probabilities(view), options.seed),
       .left_out = {}});
  for (const std::string& system : measured) {
    result.scores.push_back(
        {.system = system,
         .variance = choices[system].variance,
         .held_out =
             evaluate(view, held_out, predictions.probability[system], options.seed),
         .left_out = {}});
  }
  result.scores.insert(result.scores.end(), left_out.begin(), left_out.end());
  result.held_out = result.scores[0].held_out.examples;

  result.system = *std::min_element(tried.begin(), tried.end(),
                                    [&](const std::string& a, const std::string& b) {
                                      return choices[a].log_loss < choices[b].log_loss;
                                    });
  const HeldOutChoice& choice = choices[result.system];
  result.variance = choice.variance;
  if (result.system == "lini") result.interpolation = choice.own_weight;
  result.new_features = rows.num_features() - former.features.size();
  for (std::size_t y = former.labels.size(); y < rows.num_labels(); ++y) {
    result.new_labels.emplace_back(rows.labels().name(static_cast<std::uint32_t>(y)));
  }

  Model& model = result.model;
  model.info = next_info(former, rows, result.system, choice, options);
  model.labels = rows.labels().names();
  model.binning = rows.binning();
  model.recipe = rows.recipe;
  model.predictor =
      fit_all(view, result.system, choice, std::move(former.predictor), options, exec);
  // The former predictor may look into its file as long as the new one has it inside.
  struct Storage {
    std::shared_ptr<const Schema> schema;
    std::shared_ptr<const void> former;
  };
  model.features = rows.features().view();
  model.storage = std::make_shared<Storage>(Storage{rows.schema, former.storage});
  return result;
}

}  // namespace megadapt
