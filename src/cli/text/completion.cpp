#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cli/options/option_tree.hpp"
#include "cli/text/help.hpp"
#include "downloads/corpora.hpp"
#include "megadapt/systems.hpp"

namespace megadapt::cli {
namespace {

// The scripts of all shells work alike. They find the command among the words before the
// cursor, then complete the last word: a value of the option before it, an option, a
// subcommand, an argument, or else a file. The tables of bash and zsh are the same text.
//
// `values` is words to choose from, or FILE (any), FILE:EXTENSION (any if none has it), DIR,
// NONE, or LIST and words that may be joined by commas.

// Bash itself splits NAME=FILE at '=' (COMP_WORDBREAKS), so a word after '=' is a file.
constexpr const char* kBash =
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

// Zsh leaves --option=VALUE and NAME=FILE whole; compset takes off what is before the value.
// The last lines serve both `source` and a folder of $fpath.
constexpr const char* kZsh =
    R"(#compdef megadapt
# zsh completion of megadapt, generated from its option tree.

_megadapt() {{
    local cur=${{words[CURRENT]}} previous=${{words[CURRENT-1]}} command='' values='' options='' commands='' arguments='' i
    for ((i = 2; i < CURRENT; i++)); do
        case "${{command:+$command }}${{words[i]}}" in
        {command_names}) command="${{command:+$command }}${{words[i]}}" ;;
        esac
    done
    if [[ $cur == --*=* ]]; then
        previous=${{cur%%=*}} cur=${{cur#*=}}
        compset -P 1 '*='
    fi
    case $command in
{tables}    esac
    case "$command:$previous" in
{values}    *) ;;
    esac
    if [[ -z $values && $cur != -* && -z $commands ]]; then
        values=${{arguments:-FILE}}
        [[ $values == FILE:* && " ${{words[2,CURRENT-1]}} " == *".${{values#FILE:}} "* ]] && values=FILE
    fi
    case $values in
    FILE)
        [[ $cur == *=* ]] && compset -P 1 '*='
        _files
        ;;
    FILE:*) _files -g "*.${{values#FILE:}}" || _files ;;
    DIR) _files -/ ;;
    NONE) ;;
    LIST\ *)
        [[ $cur == *,* ]] && compset -P '*,'
        compadd -- ${{=values#LIST }}
        ;;
    ?*) compadd -- ${{=values}} ;;
    *)
        [[ $cur == -* ]] || options=$commands
        compadd -- ${{=options}}
        ;;
    esac
}}

if [[ ${{funcstack[1]}} == _megadapt ]]; then
    _megadapt "$@"
else
    compdef _megadapt megadapt
fi
)";

// Fish has a line per option and shows its help. `__megadapt_in COMMAND` is true if the
// words before the cursor name that command.
constexpr const char* kFish =
    R"(# fish completion of megadapt, generated from its option tree.

function __megadapt_in
    set -l words (commandline -opc)
    set -l command
    for word in $words[2..-1]
        switch (string join ' ' -- $command $word)
            case {command_names}
                set command $command $word
        end
    end
    test "$command" = "$argv[1]"
end

function __megadapt_list  # VALUE...: the part after the last comma
    set -l before (string match -r -- '.*,' (commandline -ct | string replace -r -- '^--[^=]*=' ''))
    for value in $argv
        echo "$before$value"
    end
end

function __megadapt_files_of  # EXTENSION: such files, or any if there are none or one is given
    set -l found
    set -l words (commandline -opc)
    if not string match -q -- "*.$argv[1]" $words
        set found (__fish_complete_suffix .$argv[1] | string match -- "*.$argv[1]")
    end
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end

complete -c megadapt -f
{lines})";

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

// Returns what the arguments of a command may be, as `values` in the script; "" means any
// file.
std::string arguments_of(const CLI::App& command) {
  const std::vector<const CLI::Option*> all = arguments(command);
  if (!all.empty() && all[0]->get_name() == "MODEL") return "FILE:mega";
  if (!all.empty() && !choices(*all[0]).empty()) {
    return fmt::format("{}", fmt::join(choices(*all[0]), " "));
  }
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

// The names of all commands, quoted for a `case` whose patterns are joined by `joint`.
std::string command_names(const CLI::App& app, const char* joint) {
  std::vector<std::string> names;
  for (const CLI::App* command : with_descendants(app)) {
    if (command->get_parent()) names.push_back("'" + name_in_script(*command) + "'");
  }
  return fmt::format("{}", fmt::join(names, joint));
}

std::string filled(const char* frame, const CLI::App& app) {
  std::string tables;
  std::string values;
  for (const CLI::App* command : with_descendants(app)) {
    tables += table_of(*command);
    values += values_of(*command);
  }
  return fmt::format(fmt::runtime(frame),
                     fmt::arg("command_names", command_names(app, " | ")),
                     fmt::arg("tables", tables), fmt::arg("values", values));
}

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

// Returns the arguments of `complete` that describe `values`. An option requires a value
// (-r).
std::string fish_values(const std::string& values) {
  if (values == "FILE") return " -F";
  if (values == "NONE") return " -f";
  if (values == "DIR") return " -f -a '(__fish_complete_directories (commandline -ct))'";
  if (values.starts_with("FILE:")) {
    return fmt::format(" -f -a '(__megadapt_files_of {})'", values.substr(5));
  }
  if (values.starts_with("LIST ")) {
    return fmt::format(" -f -a '(__megadapt_list {})'", values.substr(5));
  }
  return fmt::format(" -f -a '{}'", values);
}

std::string fish_option(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option_names(option)) {
    const bool is_long = name.starts_with("--");
    out += fmt::format(" {} {}", is_long ? "-l" : "-s", name.substr(is_long ? 2 : 1));
  }
  if (takes_value(option)) out += " -r" + fish_values(values_of(option));
  const std::string help = option.get_description();
  return out + " -d " + fish_quoted(help.substr(0, help.find_first_of(".;(\n")));
}

std::string fish_lines(const CLI::App& command) {
  const std::string start = fmt::format("complete -c megadapt -n \"__megadapt_in '{}'\"",
                                        name_in_script(command));
  std::string out;
  for (const CLI::App* sub : subcommands(command)) {
    out += fmt::format("{} -f -a {} -d {}\n", start, sub->get_name(),
                       fish_quoted(sub->get_description()));
  }
  if (subcommands(command).empty()) {
    const std::string arguments = arguments_of(command);
    out += start + fish_values(arguments.empty() ? "FILE" : arguments) + "\n";
  }
  for (const auto& [group, members] : option_groups(command)) {
    for (const CLI::Option* option : members) out += start + fish_option(*option) + "\n";
  }
  return out;
}

std::string fish_completion(const CLI::App& app) {
  std::string lines;
  for (const CLI::App* command : with_descendants(app)) lines += fish_lines(*command);
  return fmt::format(fmt::runtime(kFish), fmt::arg("lines", lines),
                     fmt::arg("command_names", command_names(app, " ")));
}

}  // namespace

std::vector<std::string> completion_shells() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const CLI::App& app, const std::string& shell) {
  if (shell == "fish") return fish_completion(app);
  return filled(shell == "zsh" ? kZsh : kBash, app);
}

}  // namespace megadapt::cli
