// megadapt inspect: what a model has learnt.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/input_options.hpp"
#include "cli/model_report.hpp"
#include "files/atomic_file.hpp"
#include "megadapt/models.hpp"

namespace megadapt::cli {
namespace {

struct InspectOptions {
  std::string model;
  bool no_verify = false;
  std::size_t top = 10;
};

struct Weighted {
  std::uint32_t feature;
  float weight;
};

// The features with the largest positive weight(feature), largest first; of equals the
// older.
template <class Weight>
std::vector<Weighted> strongest(std::uint32_t num_features, std::size_t top,
                                Weight weight) {
  std::vector<Weighted> all;
  for (std::uint32_t feature = 0; feature < num_features; ++feature) {
    if (weight(feature) > 0) all.push_back({feature, weight(feature)});
  }
  top = std::min(top, all.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(top);
  std::partial_sort(
      all.begin(), middle, all.end(), [](const Weighted& a, const Weighted& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.feature < b.feature;
      });
  all.resize(top);
  return all;
}

std::string shown_name(const Model& model, std::uint32_t feature) {
  const std::string_view name = model.features.name(feature);
  return name.empty() ? "(bias)" : std::string(name);
}

/// A list of features under a title: what every kind of model comes down to.
struct Ranking {
  std::vector<std::string> title;  // "general", "positive"; "gate", "in", "specific"
  std::vector<Weighted> features;
};

void rank_labels(const Model& model, const MaxentPredictor& expert,
                 const std::vector<std::string>& title, std::size_t top,
                 std::vector<Ranking>& out) {
  for (std::uint32_t label = 0; label < model.labels.size(); ++label) {
    std::vector<std::string> whole = title;
    whole.push_back(model.labels[label]);
    out.push_back({whole, strongest(expert.num_features(), top, [&](std::uint32_t feature) {
                     return expert.weight(feature, label);
                   })});
  }
}

std::vector<Ranking> rankings(const Model& model, std::size_t top) {
  std::vector<Ranking> all;
  if (const auto* maxent = dynamic_cast<const MaxentPredictor*>(model.predictor.get())) {
    rank_labels(model, *maxent, {}, top, all);
  }
  const auto* mixture = dynamic_cast<const MixturePredictor*>(model.predictor.get());
  if (!mixture) return all;
  rank_labels(model, mixture->general_expert(), {"general"}, top, all);
  for (std::uint32_t d = 0; d < mixture->num_domains(); ++d) {
    const std::string& domain = model.info.domains[d].name;
    rank_labels(model, mixture->expert(d), {domain}, top, all);
    for (const int sign : {1, -1}) {
      all.push_back({{"gate", domain, sign > 0 ? "general" : "specific"},
                     strongest(mixture->num_features(), top, [&](std::uint32_t feature) {
                       return static_cast<float>(sign) * mixture->gate_weight(feature, d);
                     })});
    }
  }
  return all;
}

nlohmann::ordered_json inspection_json(const Model& model, std::size_t top) {
  nlohmann::ordered_json out = model_info_json(model);
  out["top"] = nlohmann::ordered_json::object();
  for (const Ranking& ranking : rankings(model, top)) {
    nlohmann::ordered_json* place = &out["top"];
    for (const std::string& part : ranking.title) place = &(*place)[part];
    *place = nlohmann::ordered_json::array();
    for (const Weighted& entry : ranking.features) {
      place->push_back(
          {{"feature", shown_name(model, entry.feature)}, {"weight", entry.weight}});
    }
  }
  return out;
}

std::string inspection_text(const Model& model, std::size_t top) {
  std::string out = model_info_text(model);
  for (const Ranking& ranking : rankings(model, top)) {
    out += fmt::format("\nstrongest for {}\n", fmt::join(ranking.title, ", "));
    for (const Weighted& entry : ranking.features) {
      out +=
          fmt::format("  {:>9.4f}  {}\n", entry.weight, shown_name(model, entry.feature));
    }
  }
  return out;
}

int inspect(const InspectOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  AtomicFile out("-");
  out.write(common.json ? inspection_json(model, options.top).dump(2) + "\n"
                        : inspection_text(model, options.top));
  out.commit();
  return kSuccess;
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = new_command(app, "inspect", "Show what a model is made of",
                                  "megadapt inspect m.mega --top 20", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  command->add_option("--top", options->top, "How many features to show per label")
      ->type_name("N")
      ->check(number_from(0))
      ->capture_default_str()
      ->group("Output");
  command->callback([options, &context] {
    context.action = [options, &context] { return inspect(*options, context.common); };
  });
}

}  // namespace megadapt::cli
