#include "cli/options/common_options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "megadapt/error.hpp"
#include "megadapt/systems.hpp"
#include "megadapt/version.hpp"

namespace megadapt::cli {

void add_common_options(CLI::App& command, CommonOptions& options) {
  const std::string group = "Common options";
  command.set_help_flag("-h,--help", "Show this help and exit")->group(group);
  command
      .set_version_flag(
          "--version", [] { return fmt::format("megadapt {}", version()); },
          "Show the version and exit")
      ->group(group);
  command.add_option("--threads", options.threads, "Threads to use; 0 means one per core")
      ->type_name("N")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(group);
  command.add_option("--seed", options.seed, "Seed of everything that is drawn at random")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  auto* quiet =
      command.add_flag("-q,--quiet", options.quiet, "Print only results and errors")
          ->group(group);
  command.add_flag("-v,--verbose", options.verbose, "Print more of what is being done")
      ->excludes(quiet)
      ->group(group);
  command.add_flag("--json", options.json, "Print the result as JSON")->group(group);
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

void restrict_to(CLI::Option* option, const std::vector<std::string>& names) {
  option->type_name(fmt::format("{}", fmt::join(names, "|")));
  option->check(CLI::Validator(
      [names](std::string& value) -> std::string {
        if (std::find(names.begin(), names.end(), value) != names.end()) return {};
        const std::string near = closest(value, names);
        return fmt::format("'{}' is not one of {}{}", value, fmt::join(names, ", "),
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
      },
      ""));
}

CLI::Validator number_from(double low, bool open) {
  return CLI::Validator(
      [low, open](std::string& text) -> std::string {
        double value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        const bool number = error == std::errc() && stop == end && std::isfinite(value);
        if (number && (open ? value > low : value >= low)) return {};
        return fmt::format("'{}' is not a number {} {}", text, open ? "above" : "from",
                           low) +
               (open ? "" : " on");
      },
      "");
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace megadapt::cli
