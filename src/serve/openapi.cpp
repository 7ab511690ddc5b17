#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "megadapt/error.hpp"
#include "serve/limits.hpp"

namespace megadapt::serve {
namespace {

using Json = nlohmann::ordered_json;

Json reference(const char* schema) {
  return {{"$ref", fmt::format("#/components/schemas/{}", schema)}};
}

Json object_of(Json properties, Json required = Json::array()) {
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json map_of(Json values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

Json described(Json schema, const char* text) {
  schema["description"] = text;
  return schema;
}

const Json kText = {{"type", "string"}};
const Json kNumber = {{"type", "number"}};
const Json kCount = {{"type", "integer"}, {"minimum", 0}};
const Json kShare = {{"type", "number"}, {"minimum", 0}, {"maximum", 1}};

Json row_properties() {
  return {{"features",
           {{"description", "names of features, or names and values"},
            {"oneOf", {list_of(kText), map_of(kNumber)}}}},
          {"text", described(kText,
                             "running text, instead of features; a model of a task splits "
                             "it into sentences and tokens; a span is in [brackets]")},
          {"tokens", described(list_of(kText), "of models of a task: the sentence")},
          {"start", described(kCount, "of a span: its first token, from 0")},
          {"end", described(kCount, "of a span: its last token")},
          {"domain", described(kText, "a domain of the model; else its target")},
          {"id", described(kText, "comes back in the answer")}};
}

Json explain_properties() {
  return {{"label", described(kText, "the label to explain; else the predicted one")},
          {"against", described(kText, "the label to compare with; else the runner-up")},
          {"top", described(kCount, "contributions per sum; 0 means all")}};
}

// One row, or {"rows": [...]}.
Json one_or_many(const char* one, const Limits& limits, const Json& more) {
  Json rows = list_of(reference("Row"));
  rows["maxItems"] = limits.rows;
  Json many{{"rows", rows}};
  many.update(more);
  return {{"oneOf", {reference(one), object_of(many, {"rows"})}}};
}

Json contributions() {
  return list_of(
      object_of({{"feature", kText}, {"value", kNumber}, {"contribution", kNumber}},
                {"feature", "value", "contribution"}));
}

Json omitted() {
  return described(object_of({{"features", kCount}, {"contribution", kNumber}}),
                   "what \"top\" left out, added up");
}

Json component_schema() {
  return object_of({{"name", kText},
                    {"kind", kText},
                    {"weight", kShare},
                    {"probabilities", map_of(kShare)},
                    {"log_odds", described(kNumber, "log p(label)/p(against)")},
                    {"contributions", contributions()},
                    {"omitted", omitted()},
                    {"gate", object_of({{"general", kShare},
                                        {"log_odds", kNumber},
                                        {"intercept", kNumber},
                                        {"contributions", contributions()},
                                        {"omitted", omitted()}})},
                    {"components", list_of(reference("Component"))},
                    {"sources", list_of(reference("Component"))}},
                   {"name", "kind", "weight", "probabilities", "log_odds"});
}

// The answer to a row, or to a sentence for taggers.
Json answer_of(const char* sentence, Json properties, Json required) {
  return {{"oneOf",
           {object_of(std::move(properties), std::move(required)), reference(sentence)}}};
}

Json schemas(const Limits& limits) {
  Json explain_row = row_properties();
  explain_row.update(explain_properties());
  const Json warnings = described(
      list_of(object_of({{"kind", kText}, {"problem", kText}, {"remedy", kText}})),
      "for example of a row whose domain the model does not know");
  const Json prediction{{"id", kText},
                        {"label", kText},
                        {"probabilities", map_of(kShare)},
                        {"general", described(kShare, "P(general | row)")},
                        {"warnings", warnings}};
  const Json tokens = described(list_of({{"type", "object"}}),
                                "of a tagger instead of a label: an answer per token");
  Json explanation = prediction;
  explanation.update({{"probability", kShare},
                      {"previous", described(kText, "of a tagger, the tag before")},
                      {"against", kText},
                      {"domain", kText},
                      {"unseen", list_of(kText)},
                      {"model", reference("Component")}});
  return {{"Row", object_of(row_properties())},
          {"ExplainRow", object_of(explain_row)},
          {"PredictRequest", one_or_many("Row", limits, Json::object())},
          {"ExplainRequest", one_or_many("ExplainRow", limits, explain_properties())},
          {"Prediction", answer_of("Tagging", prediction, {"label", "probabilities"})},
          {"Explanation",
           answer_of("Tagging", explanation, {"label", "probabilities", "model"})},
          {"Tagging", object_of({{"id", kText}, {"tokens", tokens}}, {"tokens"})},
          {"Component", component_schema()},
          {"Error", object_of({{"error", object_of({{"status", kCount},
                                                    {"problem", kText},
                                                    {"fix", kText},
                                                    {"row", kCount}},
                                                   {"status", "problem"})}},
                              {"error"})}};
}

Json content(Json schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

Json failures() {
  Json all = Json::object();
  for (const auto& [status, text] : std::vector<std::pair<const char*, const char*>>{
           {"400", "the body cannot be used; the answer says what is wrong with it"},
           {"403", "the request comes from a page of another site"},
           {"408", "the request did not arrive in time"},
           {"413", "the body or the number of rows is too large"},
           {"421", "the server is not called by this name"},
           {"431", "the header is too large"},
           {"503", "too many connections, or the answer takes too long"}}) {
    all[status] = {{"description", text}, {"content", content(reference("Error"))}};
  }
  return all;
}

Json post(const char* summary, const char* request, const char* answer) {
  Json responses{
      {"200",
       {{"description", "an answer per row, in their order"},
        {"content",
         content({{"oneOf",
                   {reference(answer),
                    object_of({{"rows", list_of(reference(answer))}}, {"rows"})}}})}}}};
  responses.update(failures());
  return {{"post",
           {{"summary", summary},
            {"requestBody", {{"required", true}, {"content", content(reference(request))}}},
            {"responses", responses}}}};
}

Json get(const char* summary, const Json& answer) {
  return {{"get",
           {{"summary", summary},
            {"responses", {{"200", {{"description", summary}, {"content", answer}}}}}}}};
}

Json get(const char* summary) { return get(summary, content({{"type", "object"}})); }

Json get_text(const char* summary) {
  return get(summary, {{"text/plain", {{"schema", kText}}}});
}

}  // namespace

std::string openapi_json(const Limits& limits) {
  const Json document{
      {"openapi", "3.0.3"},
      {"info",
       {{"title", "megadapt"},
        {"version", std::string(version())},
        {"description",
         fmt::format("Predictions of one model, and why. Bodies may have {} bytes and {} "
                     "rows.",
                     limits.body_bytes, limits.rows)}}},
      {"paths",
       {{"/v1/predict", post("Label rows", "PredictRequest", "Prediction")},
        {"/v1/explain", post("Say what each feature adds to a prediction", "ExplainRequest",
                             "Explanation")},
        {"/v1/model", get("What the model is")},
        {"/healthz", get("Whether the server is up")},
        {"/metrics", get_text("Counts and times, in the text format of Prometheus")},
        {"/openapi.json", get("This description")}}},
      {"components", {{"schemas", schemas(limits)}}}};
  return document.dump(2) + "\n";
}

}  // namespace megadapt::serve
