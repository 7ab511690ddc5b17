// megadapt inspect: shows what a model has learnt.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/options/input_options.hpp"
#include "cli/text/reports.hpp"
#include "megadapt/model.hpp"

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
  std::string name = {};
  std::optional<std::pair<float, float>> presence = {};  // psi, general and specific
};

// Returns the features with the largest positive weight, largest first; ties by id.
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

/// A titled list of features. Every kind of model is shown as such lists.
struct Ranking {
  std::vector<std::string> title;  // "general", "positive"; "gate", "in", "specific"
  std::vector<Weighted> features;
};

/// The rankings of a part and of its subparts, each with its own title.
class Rankings {
 public:
  using Title = std::vector<std::string>;

  Rankings(const Model& model, const ModelPart& whole, std::size_t top)
      : model_(model), top_(top) {
    add(whole, {});
  }
  const std::vector<Ranking>& all() const { return all_; }

 private:
  void add(const ModelPart& part, const Title& title) {
    if (part.weights) {
      add_labels(part, part.children.empty() ? title : with(title, "model"));
    }
    if (part.gate) add_gate(part, title);
    for (const ModelPart& child : part.children) {
      add(child, with(title, child.role == PartRole::source ? "source " + child.name
                                                            : child.name));
    }
  }

  void add_labels(const ModelPart& part, const Title& title) {
    const LinearWeights& weight = *part.weights;
    for (std::uint32_t label = 0; label < weight.num_labels; ++label) {
      add_ranking(part, with(title, model_.labels[label]),
                  [&](std::uint32_t feature) { return weight(feature, label); });
    }
  }

  // The gate of a domain is listed next to its expert, under "gate".
  void add_gate(const ModelPart& part, Title title) {
    title.back() = "gate";
    for (const int sign : {1, -1}) {
      add_ranking(part, with(with(title, part.name), sign > 0 ? "general" : "specific"),
                  [&](std::uint32_t feature) {
                    return static_cast<float>(sign) * (*part.gate)(feature);
                  });
      if (part.gate->presence.empty()) continue;
      for (Weighted& entry : all_.back().features) {
        entry.presence = {part.gate->general_presence(entry.feature),
                          part.gate->specific_presence(entry.feature)};
      }
    }
  }

  template <class Weight>
  void add_ranking(const ModelPart& part, Title title, Weight weight) {
    all_.push_back(
        {std::move(title), strongest(part.weights->num_features(), top_, weight)});
    for (Weighted& entry : all_.back().features) {
      entry.name = feature_name(model_, part, entry.feature);
    }
  }

  static Title with(Title title, const std::string& part) {
    title.push_back(part);
    return title;
  }

  const Model& model_;
  std::size_t top_;
  std::vector<Ranking> all_;
};

nlohmann::ordered_json members_json(const ModelPart& whole) {
  nlohmann::ordered_json members = nlohmann::ordered_json::array();
  for (const ModelPart& member : whole.children) {
    members.push_back({{"name", member.name},
                       {"kind", member.predictor->kind()},
                       {"weight", member.share}});
  }
  return members;
}

std::string members_text(const ModelPart& whole) {
  std::string out = "\nmembers\n";
  for (const ModelPart& member : whole.children) {
    out += fmt::format("  {:>9.4f}  {} ({})\n", member.share, member.name,
                       member.predictor->kind());
  }
  return out;
}

// The mean P(general | x) over the training rows of each domain.
std::vector<std::pair<std::string, double>> mean_general(const ModelPart& whole) {
  std::vector<std::pair<std::string, double>> means;
  for (const ModelPart& part : whole.children) {
    if (!part.gate || !part.gate->mean_general) continue;
    means.emplace_back(part.name, *part.gate->mean_general);
  }
  return means;
}

nlohmann::ordered_json inspection_json(const Model& model, std::size_t top) {
  nlohmann::ordered_json out = model_info_json(model);
  const ModelPart whole = parts_of(model);
  if (whole.has(PartRole::member)) out["members"] = members_json(whole);
  for (const auto& [domain, mean] : mean_general(whole)) {
    out["domains"][domain]["mean_general"] = mean;
  }
  out["top"] = nlohmann::ordered_json::object();
  const Rankings rankings(model, whole, top);
  for (const Ranking& ranking : rankings.all()) {
    nlohmann::ordered_json* place = &out["top"];
    for (const std::string& part : ranking.title) place = &(*place)[part];
    *place = nlohmann::ordered_json::array();
    for (const Weighted& entry : ranking.features) {
      place->push_back({{"feature", entry.name}, {"weight", entry.weight}});
      if (!entry.presence) continue;
      place->back()["psi"] = {{"general", entry.presence->first},
                              {"specific", entry.presence->second}};
    }
  }
  return out;
}

// A long name is cut so that the line fits a terminal.
std::string weight_line(const Weighted& entry) {
  const std::string head = fmt::format("  {:>9.4f}  ", entry.weight);
  std::string tail = "\n";
  if (entry.presence) {
    tail = fmt::format("  (psi {:.3g} general, {:.3g} specific)\n", entry.presence->first,
                       entry.presence->second);
  }
  return head + cut(entry.name, kTableWidth + 1 - head.size() - tail.size()) + tail;
}

std::string inspection_text(const Model& model, std::size_t top) {
  std::string out = model_info_text(model);
  const ModelPart whole = parts_of(model);
  if (whole.has(PartRole::member)) out += members_text(whole);
  const auto means = mean_general(whole);
  if (!means.empty()) out += "\nmean P(general | row) of the training rows\n";
  for (const auto& [domain, mean] : means) {
    out += fmt::format("  {:>8.1f}%  {}\n", 100 * mean, domain);
  }
  const Rankings rankings(model, whole, top);
  for (const Ranking& ranking : rankings.all()) {
    out +=
        "\n" + wrapped(fmt::format("strongest for {}", fmt::join(ranking.title, ", ")), 2);
    for (const Weighted& entry : ranking.features) out += weight_line(entry);
  }
  return out;
}

int inspect(const InspectOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  return print(common.json ? json_text(inspection_json(model, options.top), 2) + "\n"
                           : printable(inspection_text(model, options.top)));
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = new_command(app, "inspect", "Show what a model has learned",
                                  "megadapt inspect m.mega --top 20", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  Section(*command, "Output")
      .value("--top", options->top, "Number of features to show per label", "N",
             number_from(0));
  set_action(*command, context, options, inspect);
}

}  // namespace megadapt::cli
