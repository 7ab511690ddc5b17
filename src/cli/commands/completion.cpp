// megadapt completion: what a shell reads to complete words of this program.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/command.hpp"
#include "cli/text/help.hpp"

namespace megadapt::cli {

void add_completion(CLI::App& app, Context& context) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      new_command(app, "completion", "Print the completion script for a shell",
                  "source <(megadapt completion bash)", context.common);
  const std::vector<std::string> shells = completion_shells();
  CLI::Option* argument = command->add_option(
      "SHELL", *shell, fmt::format("Which shell: {}", fmt::join(shells, ", ")));
  restrict_to(argument->required(), shells);
  set_action(*command, context, shell,
             [&app](const std::string& name, const CommonOptions&) {
               return print(completion_script(app, name));
             });
}

}  // namespace megadapt::cli
