#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "megadapt/error.hpp"
#include "models/model_sections.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

Json domain_to_json(const ModelInfo::Domain& domain) {
  Json json{{"name", domain.name}, {"examples", domain.examples}};
  if (!domain.general_share) return json;
  if (!std::isfinite(*domain.general_share)) {
    throw NumericError(
        fmt::format("the general share of domain '{}' is not finite", domain.name));
  }
  json["general_share"] = *domain.general_share;
  return json;
}

ModelInfo::Domain domain_from_json(const Json& json) {
  ModelInfo::Domain domain{json.at("name"), json.at("examples"), std::nullopt};
  if (json.contains("general_share"))
    domain.general_share = json["general_share"].get<double>();
  return domain;
}

Json source_to_json(const SourceFile& source) {
  Json json = {{"file", source.file},
               {"sha256", source.sha256},
               {"rows", source.rows},
               {"domain", source.domain}};
  if (source.unlabelled) json["unlabelled"] = true;
  return json;
}

SourceFile source_from_json(const Json& json) {
  return {json.at("file"), json.at("sha256"), json.at("rows"), json.at("domain"),
          json.value("unlabelled", false)};
}

Json options_to_json(const ModelInfo& info) {
  Json json = Json::array();
  for (const auto& [name, value] : info.options) json.push_back(Json::array({name, value}));
  return json;
}

ModelInfo info_from(const Json& json) {
  ModelInfo info;
  info.system = json.at("system");
  info.target = json.at("target");
  for (const Json& domain : json.at("domains"))
    info.domains.push_back(domain_from_json(domain));
  for (const Json& option : json.at("options")) {
    info.options.emplace_back(option.at(0), option.at(1));
  }
  info.seed = json.at("seed");
  for (const Json& source : json.at("sources"))
    info.sources.push_back(source_from_json(source));
  info.created_by = json.at("created_by");
  return info;
}

}  // namespace

void add_info(SectionWriter& out, const Model& model) {
  const ModelInfo& info = model.info;
  const TextOptions& text = model.recipe->text;
  Json domains = Json::array();
  for (const auto& domain : info.domains) domains.push_back(domain_to_json(domain));
  Json sources = Json::array();
  for (const auto& source : info.sources) sources.push_back(source_to_json(source));
  Json json{{"predictor", model.predictor->kind()},
            {"system", info.system},
            {"task", model.recipe->task_name()},
            {"target", info.target},
            {"domains", domains},
            {"options", options_to_json(info)},
            {"seed", info.seed},
            {"sources", sources},
            {"created_by", info.created_by},
            {"text",
             {{"word_ngrams", text.word_ngrams},
              {"char_ngrams", text.char_ngrams},
              {"lower_case", text.lower_case}}},
            {"tag_scheme", scheme_name(model.scheme)}};
  // Left out if 0, because a missing value means 0 in older files.
  if (text.hash_bits > 0) json["text"]["hash_bits"] = text.hash_bits;
  out.add("info", json_text(json, 1));
}

StoredInfo read_info(const SectionReader& in) try {
  const Json json = parse_json<Json>(in.text("info"));
  const Json& text = json.at("text");
  StoredInfo stored{.info = info_from(json),
                    .predictor_kind = json.at("predictor"),
                    .text = {text.at("word_ngrams"), text.at("char_ngrams"),
                             text.at("lower_case"), text.value("hash_bits", 0), 1},
                    .scheme = {}};
  if (stored.text.hash_bits < 0 || stored.text.hash_bits > kMostHashBits) {
    in.damaged("section 'info': hash_bits is out of range");
  }
  if (json.contains("tag_scheme")) {
    stored.scheme = parse_scheme(json["tag_scheme"].get<std::string>());
  }
  return stored;
} catch (const UsageError& error) {
  in.damaged(fmt::format("section 'info': {}", error.what()));
} catch (const nlohmann::json::exception& error) {
  in.damaged(fmt::format("section 'info': {}", error.what()));
}

}  // namespace megadapt
