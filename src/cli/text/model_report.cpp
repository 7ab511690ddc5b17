#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.hpp"
#include "cli/options/common_options.hpp"
#include "cli/text/reports.hpp"
#include "models/needs.hpp"

namespace megadapt::cli {
namespace {

using Json = nlohmann::ordered_json;

Json domains_json(const ModelInfo& info) {
  Json domains = Json::object();
  for (const ModelInfo::Domain& domain : info.domains) {
    domains[domain.name] = {
        {"examples", domain.examples},
        {"general_share",
         domain.general_share ? Json(*domain.general_share) : Json(nullptr)}};
  }
  return domains;
}

Json options_json(const ModelInfo& info) {
  Json options = Json::object();
  for (const auto& [name, value] : info.options) options[name] = value;
  return options;
}

Json sources_json(const ModelInfo& info) {
  Json sources = Json::array();
  for (const SourceFile& source : info.sources) {
    sources.push_back({{"file", source.file},
                       {"sha256", source.sha256},
                       {"rows", source.rows},
                       {"domain", source.domain}});
    if (source.unlabelled) sources.back()["unlabelled"] = true;
  }
  return sources;
}

// Returns an empty object if the text is not a JSON object, which can happen if the file
// was edited.
Json stored_evaluation(const Model& model) {
  try {
    Json stored = parse_json<Json>(model.evaluation);
    if (stored.is_object()) return stored;
  } catch (const Json::exception&) {
  }
  return Json::object();
}

// A file and its checksum, which is nearly as wide as a terminal.
std::string file_lines(const std::string& text, std::string_view sha256) {
  return wrapped("  " + text, 4) + fmt::format("    sha256 {}\n", sha256);
}

std::string evaluation_lines(const Model& model) {
  const Json stored = stored_evaluation(model);
  try {
    std::string out = fmt::format(
        "\nevaluation\n{}  accuracy {:.2f}% ({:.2f} to {:.2f}), F1 {:.2f}%, log loss "
        "{:.4f}\n",
        file_lines(counted(stored.at("examples"), "example") + " of " +
                       stored.at("data").at("file").get<std::string>(),
                   stored.at("data").at("sha256").get<std::string>()),
        100 * stored.at("accuracy").get<double>(),
        100 * stored.at("interval").at(0).get<double>(),
        100 * stored.at("interval").at(1).get<double>(),
        100 * stored.at("f1").get<double>(), stored.at("log_loss").get<double>());
    if (!stored.contains("reliability")) return out;
    const Json& reliability = stored.at("reliability");
    out += fmt::format("  calibration error {:.2f}%\n     sure %   right %   examples\n",
                       100 * reliability.at("calibration_error").get<double>());
    for (const Json& bin : reliability.at("bins")) {
      out += fmt::format(
          "  {:>9.2f} {:>9.2f}  {:>9}\n", 100 * bin.at("confidence").get<double>(),
          100 * bin.at("accuracy").get<double>(), bin.at("count").get<std::size_t>());
    }
    return out;
  } catch (const Json::exception&) {
    return "\nevaluation\n  is stored in a form that this version does not know\n";
  }
}

// "text", "features", "sentences", or null if the model does not say.
Json input_kind(const Recipe& recipe) {
  if (recipe.task) return "sentences";
  if (!recipe.from_text) return nullptr;
  return *recipe.from_text ? "text" : "features";
}

}  // namespace

Json model_info_json(const Model& model) {
  const ModelInfo& info = model.info;
  Json json{{"version", format_of(model)},
            {"system", info.system},
            {"task", model.recipe->task_name()},
            {"input", input_kind(*model.recipe)},
            {"target", info.target},
            {"domains", domains_json(info)},
            {"labels", model.labels},
            {"features", model.features.size()},
            {"options", options_json(info)},
            {"seed", info.seed},
            {"created_by", info.created_by},
            {"data", sources_json(info)}};
  if (!model.evaluation.empty()) json["evaluation"] = stored_evaluation(model);
  return json;
}

std::string model_info_text(const Model& model) {
  const ModelInfo& info = model.info;
  std::string out = fmt::format("system      {}\n", info.system);
  if (model.recipe->task) {
    out += fmt::format("task        {}\n", model.recipe->task_name());
  }
  out += fmt::format("features    {}\n", model.features.size());
  out += beside("labels      ",
                fmt::format("{}: {}", model.labels.size(), fmt::join(model.labels, " ")));
  out += fmt::format("created by  {} (model file version {}), seed {}\n", info.created_by,
                     format_of(model), info.seed);
  out += "\ndomains\n";
  for (const ModelInfo::Domain& domain : info.domains) {
    out += fmt::format("  {}  {}", cut(domain.name, kLongestName),
                       counted(domain.examples, "example"));
    if (domain.general_share)
      out += fmt::format(", {:.1f}% general", 100 * *domain.general_share);
    out += domain.name == info.target ? "  (target)\n" : "\n";
  }
  std::string options;
  for (const auto& [name, value] : info.options) {
    options += fmt::format("{}{}={}", options.empty() ? "" : " ", name, value);
  }
  out += "\noptions\n" + beside("  ", options) + "\ndata\n";
  for (const SourceFile& source : info.sources) {
    out +=
        file_lines(fmt::format("{}: {} of {}{}", source.file, counted(source.rows, "row"),
                               source.domain, source.unlabelled ? ", without labels" : ""),
                   source.sha256);
  }
  if (!model.evaluation.empty()) out += evaluation_lines(model);
  return out;
}

}  // namespace megadapt::cli
