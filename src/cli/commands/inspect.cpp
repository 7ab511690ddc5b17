// megadapt inspect: what a model has learnt.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/options/input_options.hpp"
#include "cli/text/model_report.hpp"
#include "megadapt/models.hpp"
#include "models/predictors.hpp"

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

std::string member_name(const CombinationPredictor& mix, std::size_t m) {
  return mix.name(m).empty() ? fmt::format("member {}", m + 1) : mix.name(m);
}

// Behind the features of a source-features model lie what its sources predict: per source
// the labels, then the probabilities.
std::string shown_name(const Model& model, std::uint32_t feature) {
  const std::uint32_t known = model.features.size();
  if (feature >= known) {
    const auto labels = static_cast<std::uint32_t>(model.labels.size());
    const std::uint32_t place = (feature - known) % (2 * labels);
    return fmt::format("(source {} {}{})", (feature - known) / (2 * labels) + 1,
                       place < labels ? "says " : "probability of ",
                       model.labels[place % labels]);
  }
  const std::string_view name = model.features.name(feature);
  return name.empty() ? "(bias)" : std::string(name);
}

/// A list of features under a title: what every kind of model comes down to.
struct Ranking {
  std::vector<std::string> title;  // "general", "positive"; "gate", "in", "specific"
  std::vector<Weighted> features;
};

/// The rankings of a predictor and of those it is made of, each under its own title.
class Rankings {
 public:
  using Title = std::vector<std::string>;

  Rankings(const Model& model, std::size_t top) : model_(model), top_(top) {
    add(*model.predictor, {});
  }
  const std::vector<Ranking>& all() const { return all_; }

 private:
  void add(const Predictor& predictor, const Title& title) {
    if (const auto* maxent = dynamic_cast<const MaxentPredictor*>(&predictor)) {
      add_labels(*maxent, title);
    } else if (const auto* mixture = dynamic_cast<const MixturePredictor*>(&predictor)) {
      add_mixture(*mixture, title);
    } else if (const auto* own = dynamic_cast<const PerDomainPredictor*>(&predictor)) {
      for (std::uint32_t d = 0; d < own->num_domains(); ++d) {
        add_labels(own->expert(d), with(title, domain_name(d)));
      }
    } else if (const auto* mix = dynamic_cast<const CombinationPredictor*>(&predictor)) {
      for (std::size_t m = 0; m < mix->size(); ++m) {
        add(mix->member(m), with(title, member_name(*mix, m)));
      }
    } else if (const auto* feats =
                   dynamic_cast<const SourceFeaturesPredictor*>(&predictor)) {
      add_labels(feats->model(), with(title, "model"));
      for (std::size_t s = 0; s < feats->num_sources(); ++s) {
        add(feats->source(s), with(title, fmt::format("source {}", s + 1)));
      }
    } else if (const auto* former = dynamic_cast<const FormerPredictor*>(&predictor)) {
      add(former->former(), with(title, "former"));
    }
  }

  void add_labels(const MaxentPredictor& expert, const Title& title) {
    for (std::uint32_t label = 0; label < expert.num_labels(); ++label) {
      add_ranking(with(title, model_.labels[label]), expert.num_features(),
                  [&](std::uint32_t feature) { return expert.weight(feature, label); });
    }
  }

  void add_mixture(const MixturePredictor& mixture, const Title& title) {
    add_labels(mixture.general_expert(), with(title, "general"));
    for (std::uint32_t d = 0; d < mixture.num_domains(); ++d) {
      add_labels(mixture.expert(d), with(title, domain_name(d)));
      for (const int sign : {1, -1}) {
        add_ranking(with(with(with(title, "gate"), domain_name(d)),
                         sign > 0 ? "general" : "specific"),
                    mixture.num_features(), [&](std::uint32_t feature) {
                      return static_cast<float>(sign) * mixture.gate_weight(feature, d);
                    });
      }
    }
  }

  template <class Weight>
  void add_ranking(Title title, std::uint32_t num_features, Weight weight) {
    all_.push_back({std::move(title), strongest(num_features, top_, weight)});
  }

  static Title with(Title title, const std::string& part) {
    title.push_back(part);
    return title;
  }
  const std::string& domain_name(std::uint32_t d) const {
    return model_.info.domains[d].name;
  }

  const Model& model_;
  std::size_t top_;
  std::vector<Ranking> all_;
};

nlohmann::ordered_json members_json(const CombinationPredictor& mix) {
  nlohmann::ordered_json members = nlohmann::ordered_json::array();
  for (std::size_t m = 0; m < mix.size(); ++m) {
    members.push_back({{"name", member_name(mix, m)},
                       {"kind", mix.member(m).kind()},
                       {"weight", mix.weight(m)}});
  }
  return members;
}

std::string members_text(const CombinationPredictor& mix) {
  std::string out = "\nmembers\n";
  for (std::size_t m = 0; m < mix.size(); ++m) {
    out += fmt::format("  {:>9.4f}  {} ({})\n", mix.weight(m), member_name(mix, m),
                       mix.member(m).kind());
  }
  return out;
}

nlohmann::ordered_json inspection_json(const Model& model, std::size_t top) {
  nlohmann::ordered_json out = model_info_json(model);
  if (const auto* mix = dynamic_cast<const CombinationPredictor*>(model.predictor.get())) {
    out["members"] = members_json(*mix);
  }
  out["top"] = nlohmann::ordered_json::object();
  const Rankings rankings(model, top);
  for (const Ranking& ranking : rankings.all()) {
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
  if (const auto* mix = dynamic_cast<const CombinationPredictor*>(model.predictor.get())) {
    out += members_text(*mix);
  }
  const Rankings rankings(model, top);
  for (const Ranking& ranking : rankings.all()) {
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
