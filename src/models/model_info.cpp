#include "models/model_info.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "container/sections.hpp"
#include "megadapt/error.hpp"

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
  return {{"file", source.file},
          {"sha256", source.sha256},
          {"rows", source.rows},
          {"domain", source.domain}};
}

SourceFile source_from_json(const Json& json) {
  return {json.at("file"), json.at("sha256"), json.at("rows"), json.at("domain")};
}

Json options_to_json(const ModelInfo& info) {
  Json json = Json::array();
  for (const auto& [name, value] : info.options) json.push_back(Json::array({name, value}));
  return json;
}

ModelInfo info_from(const Json& json) {
  ModelInfo info;
  info.system = json.at("system");
  info.task = json.at("task");
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
  const Json& text = json.at("text");
  info.text = {text.at("word_ngrams"), text.at("char_ngrams"), text.at("lower_case"),
               text.value("hash_bits", 0)};
  return info;
}

}  // namespace

void add_info(SectionWriter& out, const ModelInfo& info, std::string_view predictor_kind) {
  Json domains = Json::array();
  for (const auto& domain : info.domains) domains.push_back(domain_to_json(domain));
  Json sources = Json::array();
  for (const auto& source : info.sources) sources.push_back(source_to_json(source));
  Json json{{"predictor", predictor_kind},
            {"system", info.system},
            {"task", info.task},
            {"target", info.target},
            {"domains", domains},
            {"options", options_to_json(info)},
            {"seed", info.seed},
            {"sources", sources},
            {"created_by", info.created_by},
            {"text",
             {{"word_ngrams", info.text.word_ngrams},
              {"char_ngrams", info.text.char_ngrams},
              {"lower_case", info.text.lower_case}}}};
  // Absent where it is 0, which is what older files mean.
  if (info.text.hash_bits > 0) json["text"]["hash_bits"] = info.text.hash_bits;
  out.add("info", json.dump(1, ' ', false, Json::error_handler_t::replace));
}

StoredInfo read_info(const SectionReader& in) try {
  const Json json = Json::parse(in.text("info"));
  StoredInfo stored{info_from(json), json.at("predictor")};
  const int bits = stored.info.text.hash_bits;
  if (bits < 0 || bits > kMostHashBits) in.damaged("features have no such hash");
  return stored;
} catch (const nlohmann::json::exception& error) {
  in.damaged(fmt::format("section 'info': {}", error.what()));
}

}  // namespace megadapt
