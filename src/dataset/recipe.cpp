#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/sha256.hpp"
#include "dataset/recipe_text.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

namespace {

using nlohmann::json;

json text_json(const TextOptions& text) {
  return {{"word_ngrams", text.word_ngrams}, {"char_ngrams", text.char_ngrams},
          {"lower_case", text.lower_case},   {"hash_bits", text.hash_bits},
          {"word_rules", text.word_rules},   {"weights", text_weights_name(text.weights)}};
}

TextOptions text_from(const json& object) {
  TextOptions text{.word_ngrams = object.at("word_ngrams"),
                   .char_ngrams = object.at("char_ngrams"),
                   .lower_case = object.at("lower_case"),
                   .hash_bits = object.at("hash_bits"),
                   .word_rules = object.value("word_rules", 1),  // not in 0.1
                   .weights = parse_text_weights(object.value("weights", "binary"))};
  if (text.hash_bits < 0 || text.hash_bits > kMostHashBits) {
    throw UsageError("the number of hash bits is out of range");
  }
  if (text.word_rules < 1 || text.word_rules > TextOptions().word_rules) {
    throw UsageError("the model needs rules of words that this version does not know");
  }
  return text;
}

/// Calls `visit(name in the file, member)` for every kind of column that has a single name.
void each_column(auto& columns, auto visit) {
  visit("label", columns.label);
  visit("group", columns.group);
  visit("id", columns.id);
  visit("weight", columns.weight);
  visit("domain", columns.domain);
}

json columns_json(const ColumnNames& columns) {
  json named = json::object();
  each_column(columns, [&](const char* key, const auto& name) {
    if (name) named[key] = *name;
  });
  if (!columns.text.empty()) named["text"] = columns.text;
  if (!columns.numbers.empty()) named["numbers"] = columns.numbers;
  if (!columns.categories.empty()) named["categories"] = columns.categories;
  return named;
}

ColumnNames columns_from(const json& named) {
  ColumnNames columns;
  each_column(columns, [&](const char* key, auto& name) {
    if (named.contains(key)) name = named.at(key).get<std::string>();
  });
  columns.text = named.value("text", columns.text);
  columns.numbers = named.value("numbers", columns.numbers);
  columns.categories = named.value("categories", columns.categories);
  return columns;
}

json rules_json(const std::vector<LabelMap::Rule>& rules) {
  json all = json::array();
  for (const LabelMap::Rule& rule : rules) {
    all.push_back({rule.domain, rule.label, rule.name, rule.line});
  }
  return all;
}

json recipe_json(const Recipe& recipe) {
  json object = {{"format", format_name(recipe.format)},
                 {"text", text_json(recipe.text)},
                 {"columns", columns_json(recipe.columns)},
                 {"bias", recipe.bias},
                 {"min_count", recipe.min_count},
                 {"bins", recipe.bins},
                 {"label_map", rules_json(recipe.label_map)},
                 {"task", recipe.task ? json::parse(to_text(*recipe.task)) : json()},
                 {"mixed_forms", recipe.mixed_forms}};
  // The classes themselves are in sections of their own.
  if (!recipe.classes().empty()) object["word_classes"] = recipe.classes().digest();
  return object;
}

Recipe recipe_from(const json& object) {
  Recipe recipe;
  const auto format = object.at("format").get<std::string>();
  recipe.format =
      format == format_name(Format::guess) ? Format::guess : parse_format(format);
  recipe.text = text_from(object.at("text"));
  recipe.columns = columns_from(object.value("columns", json::object()));  // not in 0.1
  recipe.bias = object.at("bias");
  recipe.min_count = object.at("min_count");
  recipe.bins = object.at("bins");
  for (const json& rule : object.at("label_map")) {
    recipe.label_map.push_back({rule.at(0), rule.at(1), rule.at(2), rule.at(3)});
  }
  recipe.label_map_file = object.at("label_map_file");
  if (object.contains("from_text")) recipe.from_text = object["from_text"].get<bool>();
  if (!object.at("task").is_null()) {
    recipe.task = task_from_text(object["task"].dump());
  }
  recipe.mixed_forms = object.at("mixed_forms").get<MixedForms>();
  return recipe;
}

}  // namespace

std::string Recipe::digest() const {
  json object = recipe_json(*this);
  if (task) object["task"].erase("features_name");
  const std::string all = json_text(object);
  corpus::Sha256 sha;
  sha.add(all.data(), all.size());
  return sha.finish();
}

std::string to_text(const Recipe& recipe) {
  json object = recipe_json(recipe);
  object["label_map_file"] = recipe.label_map_file;
  if (recipe.from_text) object["from_text"] = *recipe.from_text;
  return json_text(object);
}

Recipe recipe_from_text(std::string_view text) {
  const auto damaged = [](const char* what) {
    return ModelFileError(fmt::format("the recipe is damaged: {}", what),
                          "train the model again");
  };
  try {
    return recipe_from(parse_json(text));
  } catch (const json::exception& error) {
    throw damaged(error.what());
  } catch (const UsageError& error) {
    throw damaged(error.what());
  }
}

ReadOptions reading_for(const Recipe& recipe, Format format, bool labelled) {
  return {.format = format,
          .labelled = labelled,
          .text = recipe.text,
          .columns = recipe.columns,
          .expects_text = recipe.from_text.value_or(false)};
}

}  // namespace megadapt
