#include "cli/parse_failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/messages.hpp"
#include "cli/commands/command.hpp"
#include "cli/options/option_tree.hpp"

namespace megadapt::cli {
namespace {

std::vector<std::string> known_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* sub : subcommands(command)) words.push_back(sub->get_name());
  for (const auto& [group, options] : option_groups(command)) {
    for (const CLI::Option* option : options) {
      for (const std::string& name : option_names(*option)) words.push_back(name);
    }
  }
  return words;
}

// Returns the remedy for a file given where the command takes none; empty if `word` does
// not look like one.
std::string file_remedy(const std::string& word, const CLI::App& command) {
  const auto takes = [&](const char* name) {
    return command.get_option_no_throw(name) != nullptr;
  };
  if (word.ends_with(".json") && takes("--json") && !std::filesystem::exists(word)) {
    return fmt::format("--json writes to standard output: add '> {}'", word);
  }
  if (takes("--domain") && std::filesystem::is_regular_file(word)) {
    return fmt::format("name the domain of the file: --domain NAME={}", word);
  }
  return {};
}

}  // namespace

int report_parse_result(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  if (dynamic_cast<const CLI::CallForHelp*>(&error)) {
    return run_reporting_failures([&] { return print(command.help()); });
  }
  if (dynamic_cast<const CLI::CallForAllHelp*>(&error)) {
    return run_reporting_failures(
        [&] { return print(command.help("", CLI::AppFormatMode::All)); });
  }
  if (dynamic_cast<const CLI::CallForVersion*>(&error))
    return run_reporting_failures([&] { return print(error.what() + std::string("\n")); });

  std::string problem = error.what();
  std::string fix = fmt::format("see '{} --help'", full_name(command));
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) {
    const std::string word = unknown.front().substr(0, unknown.front().find('='));
    const bool names_command = !subcommands(command).empty() && word[0] != '-';
    problem = fmt::format("{} '{}'",
                          names_command    ? "unknown command"
                          : word[0] == '-' ? "unknown option"
                                           : "unexpected argument",
                          excerpt(word));
    const std::string near = closest(word, known_words(command));
    if (const std::string remedy = file_remedy(unknown.front(), command); !remedy.empty()) {
      fix = remedy;
    } else if (!near.empty()) {
      fix = fmt::format("did you mean '{}'? {}", near, fix);
    }
  } else if (command.get_parent() == nullptr || !subcommands(command).empty()) {
    std::vector<std::string> names;
    for (const CLI::App* sub : subcommands(command)) names.push_back(sub->get_name());
    problem = fmt::format("a command is needed: {}", fmt::join(names, ", "));
  }
  return failed(kBadInput, problem + "\nfix: " + fix);
}

}  // namespace megadapt::cli
