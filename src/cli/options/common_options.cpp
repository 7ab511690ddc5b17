#include "cli/options/common_options.hpp"

#include "megadapt/error.hpp"
#include "megadapt/model.hpp"
#include "megadapt/systems.hpp"

namespace megadapt::cli {

void add_common_options(CLI::App& command, CommonOptions& options) {
  const std::string group = "Common options";
  command.set_help_flag("-h,--help", "Show this help and exit")->group(group);
  command
      .set_version_flag(
          "--version", [] { return fmt::format("megadapt {}", version()); },
          "Show the version and exit")
      ->group(group);
  Section common(command, group);
  common.value("--threads", options.threads, "Threads to use; 0 means one per core", "N",
               number_from(0));
  common.value("--seed", options.seed, "Seed of everything that is drawn at random", "N");
  auto* quiet = common.flag("-q,--quiet", options.quiet, "Print only results and errors");
  common.flag("-v,--verbose", options.verbose, "Print more of what is being done")
      ->excludes(quiet);
  common.flag("--json", options.json, "Print the result as JSON");
}

void add_output_option(CLI::App& command, std::string& path) {
  Section(command, "Output")
      .value("-o,--output", path, "Where to write, - for standard output", "FILE");
}

CLI::App* new_command(CLI::App& parent, const std::string& name, const std::string& purpose,
                      const std::string& example, CommonOptions& options) {
  CLI::App* command = parent.add_subcommand(name, purpose);
  command->group("Commands");
  command->footer("Example:\n  " + example);
  add_common_options(*command, options);
  return command;
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const System* system : systems()) names.push_back(system->name());
  return names;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void check_model_output(const std::string& path, const CommonOptions& common) {
  if (common.json && path == "-") {
    throw UsageError("--json and the model would both go to standard output",
                     "write the model to a file: -o m.mega");
  }
  check_model_path(path);
}

}  // namespace megadapt::cli
