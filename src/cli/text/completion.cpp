#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/options/option_tree.hpp"
#include "cli/text/help.hpp"
#include "downloads/corpora.hpp"
#include "megadapt/systems.hpp"

namespace megadapt::cli {
namespace {

// Finds the command among the words before the cursor, then completes the last word: a
// value of the option before it, an option, a subcommand, an argument, or else a file. Bash
// itself splits NAME=FILE at '=' (COMP_WORDBREAKS), so a word after '=' is a file.
//
// `values` is words to choose from, or FILE (any), FILE:EXTENSION (any if none has it), DIR,
// NONE, or LIST and words that may be joined by commas.
constexpr const char* kFrame =
    R"(# bash completion of megadapt, generated from its option tree.

_megadapt_files() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}}

_megadapt_files_of() {{  # EXTENSION WORD
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -X "!*.$1" -- "$2"; compgen -d -- "$2")
    ((${{#COMPREPLY[@]}} > 0)) || _megadapt_files "$2"
}}

_megadapt_list() {{  # WORD VALUE...: the part after the last comma
    local word=$1 before=''
    shift
    if [[ $word == *,* ]]; then before=${{word%,*}}, word=${{word##*,}}; fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "$word")
}}

_megadapt() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} previous='' command='' values='' options='' commands='' arguments='' i
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
    if [[ -z $values && $cur != -* && -z $commands ]]; then
        values=${{arguments:-FILE}}
        [[ $values == FILE:* && " ${{COMP_WORDS[*]:1:COMP_CWORD-1}} " == *".${{values#FILE:}} "* ]] && values=FILE
    fi
    case $values in
    FILE) _megadapt_files "$cur" ;;
    FILE:*) _megadapt_files_of "${{values#FILE:}}" "$cur" ;;
    DIR)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        ;;
    NONE) ;;
    LIST\ *) _megadapt_list "$cur" ${{values#LIST }} ;;
    ?*) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur") ;;
    *)
        [[ $cur == -* ]] || options=$commands
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
        ;;
    esac
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

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const System* system : systems()) names.emplace_back(system->name());
  return names;
}

// What the arguments of a command are, as `values` in the script; "": any file.
std::string arguments_of(const CLI::App& command) {
  const std::vector<const CLI::Option*> all = arguments(command);
  if (!all.empty() && all[0]->get_name() == "MODEL") return "FILE:mega";
  if (name_in_script(command) != "data fetch") return "";
  std::vector<std::string> corpora;
  for (const downloads::Corpus& corpus : downloads::corpora()) {
    corpora.push_back(corpus.package);
  }
  return fmt::format("{}", fmt::join(corpora, " "));
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
  return fmt::format("    '{}') options='{}' commands='{}' arguments='{}' ;;\n",
                     name_in_script(command), fmt::join(options, " "),
                     fmt::join(names, " "), arguments_of(command));
}

std::string values_of(const CLI::Option& option) {
  const std::vector<std::string> fixed = choices(option);
  if (!fixed.empty()) return fmt::format("{}", fmt::join(fixed, " "));
  if (option.check_lname("systems")) {
    return fmt::format("LIST all {}", fmt::join(system_names(), " "));
  }
  if (option.check_lname("settings")) return "FILE:json";
  if (takes_file(option)) return "FILE";
  return value_name(option).find("DIR") == std::string::npos ? "NONE" : "DIR";
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
      out += fmt::format("    {}) values='{}' ;;\n", fmt::join(patterns, " | "),
                         values_of(*option));
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
