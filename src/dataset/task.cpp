#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "dataset/reading/sequence_encoder.hpp"
#include "dataset/recipe_text.hpp"
#include "features/features.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

using nlohmann::json;
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Gazetteer, name, entries)

std::vector<std::string> task_names() { return builtin_feature_sets(); }

void check_task(std::string_view name) { builtin_features(name); }

bool TaskOptions::has_builtin_features() const {
  return features.empty() || features == builtin_features(task, classes);
}

std::string TaskOptions::template_text() const {
  return features.empty() ? builtin_features(task, classes) : features;
}

SentenceOptions reading_for(const TaskOptions& task, bool labelled) {
  SentenceOptions options;
  options.format = task.format;
  options.columns = task.columns;
  options.tokens = task.tokens;
  options.language = task.language;
  options.labelled = labelled;
  options.spans = task.spans();
  options.recase = task.task == "recap";
  const bool prose = options.format == SentenceFormat::prose;
  if (options.recase && !prose) options.format = SentenceFormat::text;
  if (options.spans) options.format = SentenceFormat::jsonl;
  return options;
}

FeatureTemplate template_of(const TaskOptions& task) {
  TemplateScope scope;
  scope.columns = task.columns.extra_names();
  scope.spans = task.spans();
  scope.classes = task.classes;
  for (const Gazetteer& gazetteer : task.gazetteers) {
    scope.gazetteers.push_back(gazetteer.name);
  }
  if (!task.has_builtin_features()) {
    return FeatureTemplate::parse(task.features, task.features_name, scope);
  }
  // The built-in sets use the column `pos`. If there is none, add it to the scope: its
  // values are then unknown everywhere, which gives no features.
  const bool has_pos =
      std::find(scope.columns.begin(), scope.columns.end(), "pos") != scope.columns.end();
  if (!has_pos) scope.columns.emplace_back("pos");
  return FeatureTemplate::parse(builtin_features(task.task, task.classes),
                                "built-in features", scope);
}

std::string to_text(const TaskOptions& task) {
  return json{{"task", task.task},
              {"format", sentence_format_name(task.format)},
              {"columns", task.columns.text()},
              {"features", task.template_text()},
              {"features_name", task.features_name},
              {"scheme", task.scheme},
              {"language", task.language},
              {"split_contractions", task.tokens.split_contractions},
              {"split_hyphens", task.tokens.split_hyphens},
              {"gazetteers", task.gazetteers}}
      .dump();
}

TaskOptions task_from_text(std::string_view text) {
  try {
    const json object = parse_json(text);
    TaskOptions task;
    task.task = object.at("task").get<std::string>();
    const auto format = object.at("format").get<std::string>();
    task.format = format == "guess" ? SentenceFormat::guess : parse_sentence_format(format);
    task.columns = ColumnChoice::parse(object.at("columns").get<std::string>());
    task.features = object.at("features").get<std::string>();
    task.features_name = object.value("features_name", task.features_name);
    task.scheme = object.at("scheme").get<std::string>();
    task.language = object.at("language").get<std::string>();
    task.tokens = {object.value("split_contractions", false),
                   object.value("split_hyphens", false)};
    object.at("gazetteers").get_to(task.gazetteers);
    check_task(task.task);
    return task;
  } catch (const json::exception& error) {
    throw ModelFileError(
        fmt::format("the description of the task is damaged: {}", error.what()),
        "train the model again");
  } catch (const UsageError& error) {
    throw ModelFileError(
        fmt::format("the description of the task is damaged: {}", error.what()),
        "train the model again");
  }
}

}  // namespace megadapt
