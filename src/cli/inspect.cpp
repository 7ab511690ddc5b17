// megadapt inspect: what a model has learnt.

#include <fmt/format.h>

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

// The features that speak most for a label, strongest first; of equals the older one.
std::vector<Weighted> strongest(const MaxentPredictor& maxent, std::uint32_t label,
                                std::size_t top) {
  std::vector<Weighted> all;
  for (std::uint32_t feature = 0; feature < maxent.num_features(); ++feature) {
    const float weight = maxent.weight(feature, label);
    if (weight > 0) all.push_back({feature, weight});
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

nlohmann::ordered_json inspection_json(const Model& model, const MaxentPredictor* maxent,
                                       std::size_t top) {
  nlohmann::ordered_json out = model_info_json(model);
  out["top"] = nlohmann::ordered_json::object();
  for (std::uint32_t label = 0; maxent && label < model.labels.size(); ++label) {
    auto& list = out["top"][model.labels[label]] = nlohmann::ordered_json::array();
    for (const Weighted& entry : strongest(*maxent, label, top)) {
      list.push_back(
          {{"feature", shown_name(model, entry.feature)}, {"weight", entry.weight}});
    }
  }
  return out;
}

std::string inspection_text(const Model& model, const MaxentPredictor* maxent,
                            std::size_t top) {
  std::string out = model_info_text(model);
  for (std::uint32_t label = 0; maxent && label < model.labels.size(); ++label) {
    out += fmt::format("\nstrongest for {}\n", model.labels[label]);
    for (const Weighted& entry : strongest(*maxent, label, top)) {
      out +=
          fmt::format("  {:>9.4f}  {}\n", entry.weight, shown_name(model, entry.feature));
    }
  }
  return out;
}

int inspect(const InspectOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  const auto* maxent = dynamic_cast<const MaxentPredictor*>(model.predictor.get());
  AtomicFile out("-");
  out.write(common.json ? inspection_json(model, maxent, options.top).dump(2) + "\n"
                        : inspection_text(model, maxent, options.top));
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
