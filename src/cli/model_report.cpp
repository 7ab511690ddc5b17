#include "cli/model_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common_options.hpp"
#include "model_file/container.hpp"

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
  }
  return sources;
}

}  // namespace

Json model_info_json(const Model& model) {
  const ModelInfo& info = model.info;
  return {{"version", kFormatVersion},
          {"system", info.system},
          {"task", info.task},
          {"target", info.target},
          {"domains", domains_json(info)},
          {"labels", model.labels},
          {"features", model.features.size()},
          {"options", options_json(info)},
          {"seed", info.seed},
          {"created_by", info.created_by},
          {"data", sources_json(info)}};
}

std::string model_info_text(const Model& model) {
  const ModelInfo& info = model.info;
  std::string out = fmt::format("system      {}\n", info.system);
  if (!info.task.empty()) out += fmt::format("task        {}\n", info.task);
  out += fmt::format("features    {}\n", model.features.size());
  out += fmt::format("labels      {}: {}\n", model.labels.size(),
                     fmt::join(model.labels, " "));
  out += fmt::format("created by  {} (model file version {}), seed {}\n", info.created_by,
                     kFormatVersion, info.seed);
  out += "\ndomains\n";
  for (const ModelInfo::Domain& domain : info.domains) {
    out += fmt::format("  {}  {}", domain.name, counted(domain.examples, "example"));
    if (domain.general_share)
      out += fmt::format(", {:.1f}% general", 100 * *domain.general_share);
    out += domain.name == info.target ? "  (target)\n" : "\n";
  }
  out += "\noptions\n ";
  for (const auto& [name, value] : info.options) out += fmt::format(" {}={}", name, value);
  out += "\n\ndata\n";
  for (const SourceFile& source : info.sources) {
    out += fmt::format("  {}  {} of {}  sha256 {}\n", source.file,
                       counted(source.rows, "row"), source.domain, source.sha256);
  }
  return out;
}

}  // namespace megadapt::cli
