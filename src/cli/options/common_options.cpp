#include "cli/options/common_options.hpp"

#include "megadapt/error.hpp"
#include "megadapt/model.hpp"
#include "megadapt/systems.hpp"
#include "systems/options.hpp"

namespace megadapt::cli {

void CommonOptions::warn(const Warning& warning) const {
  warnings_->push_back(warning);
  if (strict) throw CheckFailed(warning.problem, warning.remedy);
  if (speaks()) note("warning: {}", Error(warning.problem, warning.remedy).what());
}

void CommonOptions::warn(const std::vector<Warning>& warnings) const {
  for (const Warning& warning : warnings) warn(warning);
}

void CommonOptions::warn(const std::optional<Warning>& warning) const {
  if (warning) warn(*warning);
}

void CommonOptions::add_warnings(nlohmann::ordered_json& result) const {
  result["warnings"] = nlohmann::ordered_json::array();
  for (const auto& [kind, problem, remedy] : *warnings_) {
    result["warnings"].push_back(
        {{"kind", kind}, {"problem", problem}, {"remedy", remedy}});
  }
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  const std::string group = "Common options";
  rare(command.set_help_flag("-h,--help", "Show this help and exit"), false)->group(group);
  rare(command.set_help_all_flag("--help-all", "Show all options and exit"), false)
      ->group(group);
  rare(command.set_version_flag(
           "--version", [] { return fmt::format("megadapt {}", version()); },
           "Show the version and exit"))
      ->group(group);
  Section common(command, group);
  common.value("--threads", options.threads, "Threads to use; 0 means one per core", "N",
               number_from(0));
  common.value("--seed", options.seed, "Seed of the random number generator", "N");
  auto* quiet = common.flag("-q,--quiet", options.quiet, "Print only results and errors");
  rare(common.flag("-v,--verbose", options.verbose, "Print more details"))->excludes(quiet);
  common.flag("--json", options.json, "Print the result as JSON");
  rare(common.flag("--strict", options.strict,
                   "Treat warnings as errors, with exit code 4"));
}

void add_output_option(CLI::App& command, std::string& path) {
  Section(command, "Output")
      .value("-o,--output", path, "Output file, - for standard output", "FILE");
}

CLI::App* new_command(CLI::App& parent, const std::string& name, const std::string& purpose,
                      const std::string& example, CommonOptions& options) {
  CLI::App* command = parent.add_subcommand(name, purpose);
  command->group("Commands");
  command->footer("Example:\n  " + example);
  add_common_options(*command, options);
  return command;
}

CLI::Option* add_system_option(Section& section, std::string& system,
                               const std::string& help) {
  std::vector<std::string> names;
  for (const System* known : systems()) names.push_back(known->name());
  const CLI::Validator is_not_former(
      [](std::string& name) {
        refuse_former_system(name);
        return std::string();
      },
      "");
  CLI::Option* option = section.value("-s,--system", system, help, "", is_not_former);
  restrict_to(option, names);
  return option->required();
}

std::vector<std::string> typed_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto& option : option_table()) {
    const CLI::Option* typed = command.get_option_no_throw("--" + option.name);
    if (typed != nullptr && typed->count() > 0) names.push_back(option.name);
  }
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
