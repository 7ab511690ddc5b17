#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/options/option_tree.hpp"
#include "cli/text/help.hpp"

namespace megadapt::cli {
namespace {

// Finds the command among the words before the cursor, then completes the last word: a
// value of the option before it, an option, a subcommand, or else a file. Bash itself
// splits NAME=FILE at '=' (COMP_WORDBREAKS), so a word after '=' is a file.
constexpr const char* kFrame =
    R"(# bash completion of megadapt, generated from its option tree.

_megadapt_files() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}}

_megadapt() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} previous='' command='' values='' options='' commands='' i
    COMPREPLY=()
    ((COMP_CWORD > 0)) && previous=${{COMP_WORDS[COMP_CWORD-1]}}
    if [[ $previous == = || $cur == = ]]; then
        ((COMP_CWORD > 1)) && [[ $cur != = ]] && previous=${{COMP_WORDS[COMP_CWORD-2]}}
        [[ $cur == = ]] && cur=
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "${{command:+$command }}${{COMP_WORDS[i]}}" in
        {command_names}) command="${{command:+$command }}${{COMP_WORDS[i]}}" ;;
        esac
    done
    case $command in
{tables}    esac
    case "$command:$previous" in
{values}    *) ;;
    esac
    if [[ -n $values ]]; then
        if [[ $values == FILE ]]; then _megadapt_files "$cur"; return; fi
        if [[ $values == NONE ]]; then return; fi
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur")
    elif [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
    elif [[ -n $commands ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$cur")
    else
        _megadapt_files "$cur"
    fi
}}

complete -F _megadapt megadapt
)";

std::string name_in_script(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  if (!parent) return {};
  const std::string before = name_in_script(*parent);
  return before.empty() ? command.get_name() : before + " " + command.get_name();
}

std::vector<const CLI::App*> with_descendants(const CLI::App& command) {
  std::vector<const CLI::App*> all{&command};
  for (const CLI::App* sub : subcommands(command)) {
    for (const CLI::App* descendant : with_descendants(*sub)) all.push_back(descendant);
  }
  return all;
}

std::string table_of(const CLI::App& command) {
  std::vector<std::string> options;
  for (const auto& [group, members] : option_groups(command)) {
    for (const CLI::Option* option : members) {
      for (const std::string& name : option_names(*option)) options.push_back(name);
    }
  }
  std::vector<std::string> names;
  for (const CLI::App* sub : subcommands(command)) names.push_back(sub->get_name());
  return fmt::format("    '{}') options='{}' commands='{}' ;;\n", name_in_script(command),
                     fmt::join(options, " "), fmt::join(names, " "));
}

std::string values_of(const CLI::App& command) {
  std::string out;
  for (const auto& [group, members] : option_groups(command)) {
    for (const CLI::Option* option : members) {
      if (!takes_value(*option)) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option_names(*option)) {
        patterns.push_back(fmt::format("'{}:{}'", name_in_script(command), name));
      }
      const std::string values = !choices(*option).empty()
                                     ? fmt::format("{}", fmt::join(choices(*option), " "))
                                 : takes_file(*option) ? "FILE"
                                                       : "NONE";
      out += fmt::format("    {}) values='{}' ;;\n", fmt::join(patterns, " | "), values);
    }
  }
  return out;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string tables;
  std::string values;
  for (const CLI::App* command : with_descendants(app)) {
    if (command->get_parent()) names.push_back("'" + name_in_script(*command) + "'");
    tables += table_of(*command);
    values += values_of(*command);
  }
  return fmt::format(kFrame, fmt::arg("command_names", fmt::join(names, " | ")),
                     fmt::arg("tables", tables), fmt::arg("values", values));
}

}  // namespace megadapt::cli
