#include "cli/options/task_arguments.hpp"

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "cli/options/common_options.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {
namespace {

const std::string kTaskGroup = "Task";

std::string whole_file(const std::string& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Gazetteer read_gazetteer(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("--gazetteer {}: this is not NAME=FILE", text),
                     "write --gazetteer cities=cities.txt");
  }
  return {text.substr(0, equals), whole_file(text.substr(equals + 1))};
}

}  // namespace

void add_task_arguments(CLI::App& command, TaskArguments& arguments) {
  restrict_to(command
                  .add_option("--task", arguments.task,
                              "Read sentences and make the features of this task; without "
                              "it the input is ready-made features")
                  ->group(kTaskGroup),
              task_names());
  command
      .add_option("--features", arguments.features,
                  "Feature templates instead of the task's own (docs/templates.md)")
      ->type_name("FILE")
      ->group(kTaskGroup);
  command
      .add_option("--gazetteer", arguments.gazetteers,
                  "A list of names, one a line, for templates to refer to; repeatable")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false)
      ->group(kTaskGroup);
  command
      .add_option(
          "--columns", arguments.columns,
          "What the columns of CoNLL files hold: token,pos,tag or token=FORM,tag=UPOS")
      ->type_name("LIST")
      ->group(kTaskGroup);
  restrict_to(command
                  .add_option("--scheme", arguments.scheme,
                              "Which tag may follow which; read off the tags if not given")
                  ->group(kTaskGroup),
              {"none", "iob2", "iobes"});
  command
      .add_option("--language", arguments.language,
                  "Of the word stems: a language of Snowball, or none")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(kTaskGroup);
  add_skip_bad_option(command, arguments.skip_bad);
}

void add_skip_bad_option(CLI::App& command, bool& skip_bad) {
  command
      .add_flag("--skip-bad-lines", skip_bad,
                "Leave out sentences that cannot be used, and count them")
      ->group(kTaskGroup);
}

TaskOptions task_options(const TaskArguments& arguments, const std::string& format) {
  check_task(arguments.task);
  TaskOptions task;
  task.task = arguments.task;
  if (!format.empty()) task.format = parse_sentence_format(format);
  if (!arguments.columns.empty()) task.columns = ColumnChoice::parse(arguments.columns);
  if (!arguments.features.empty()) {
    task.features = whole_file(arguments.features);
    task.features_name = arguments.features;
  }
  task.scheme = arguments.scheme;
  task.language = arguments.language;
  for (const std::string& text : arguments.gazetteers) {
    task.gazetteers.push_back(read_gazetteer(text));
  }
  return task;
}

std::vector<std::pair<std::string, std::string>> recorded_task(
    const TaskArguments& arguments) {
  if (arguments.task.empty()) return {};
  std::vector<std::pair<std::string, std::string>> all{{"task", arguments.task}};
  if (!arguments.features.empty()) all.emplace_back("features", arguments.features);
  for (const std::string& text : arguments.gazetteers) all.emplace_back("gazetteer", text);
  if (!arguments.columns.empty()) all.emplace_back("columns", arguments.columns);
  if (!arguments.scheme.empty()) all.emplace_back("scheme", arguments.scheme);
  all.emplace_back("language", arguments.language);
  return all;
}

Tagger tagger_for(const std::string& command, const std::string& path, bool verify) {
  Model model = load_model(path, verify);
  if (!model.recipe->task) {
    throw UsageError(
        fmt::format("'megadapt {}' needs a model of a task; this one takes ready-made "
                    "features",
                    command),
        "use 'megadapt predict', or train with --task");
  }
  return Tagger(std::move(model));
}

}  // namespace megadapt::cli
