#include "cli/options/task_arguments.hpp"

#include <fmt/format.h>

#include "cli/options/common_options.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {

void add_skip_bad_option(CLI::App& command, bool& skip_bad) {
  command
      .add_flag("--skip-bad-lines", skip_bad, recipe_table().find("skip-bad-lines").help)
      ->group("Task");
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
