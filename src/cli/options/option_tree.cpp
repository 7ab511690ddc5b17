#include "cli/options/option_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace megadapt::cli {

std::vector<OptionGroup> option_groups(const CLI::App& command) {
  std::vector<OptionGroup> groups;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const OptionGroup& known) {
      return known.first == option->get_group();
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), {option->get_group(), {}});
    group->second.push_back(option);
  }
  // CLI11 lists the common options first; move them to the end.
  if (!groups.empty()) std::rotate(groups.begin(), groups.begin() + 1, groups.end());
  return groups;
}

std::vector<const CLI::Option*> arguments(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->get_positional() && !option->get_group().empty();
  });
}

std::vector<const CLI::App*> subcommands(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App& chosen_command(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : chosen_command(*parsed.back());
}

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string value_name(const CLI::Option& option) {
  return takes_value(option) ? option.get_type_name() : std::string();
}

std::vector<std::string> choices(const CLI::Option& option) {
  const std::string names = value_name(option);
  if (names.find('|') == std::string::npos) return {};
  return CLI::detail::split(names, '|');
}

bool takes_file(const CLI::Option& option) {
  return value_name(option).find("FILE") != std::string::npos;
}

std::string described(const CLI::Option& option) {
  std::string text = option.get_description();
  if (option.get_required() && option.nonpositional()) text += " (required)";
  const std::string value = option.get_default_str();
  if (takes_value(option) && !value.empty()) text += fmt::format(" (default: {})", value);
  return text;
}

// CLI11 has no place for marks of our own. megadapt reads no configuration files, so the
// mark "not configurable" is free.
CLI::Option* rare(CLI::Option* option, bool mark) { return option->configurable(!mark); }

bool is_rare(const CLI::Option& option) { return !option.get_configurable(); }

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name(*parent) + " " + command.get_name() : command.get_name();
}

std::string usage(const CLI::App& command) {
  std::string text = full_name(command);
  if (!subcommands(command).empty()) return text + " COMMAND [OPTIONS]";
  text += " [OPTIONS]";
  for (const CLI::Option* argument : arguments(command)) {
    const std::string name = argument->get_name();
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

}  // namespace megadapt::cli
