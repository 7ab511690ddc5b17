#include "cli/text/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/option_tree.hpp"

namespace megadapt::cli {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kTextColumn = 28;

// Puts `left` at column 2 and `text` at column 28, wrapped between words.
std::string entry(const std::string& left, const std::string& text) {
  std::string out = "  " + left;
  const std::size_t bar = out.rfind('|', kColumns - 1);
  if (out.size() > kColumns && bar != out.npos) out.insert(bar + 1, "\n      ");
  if (out.size() + 2 > kTextColumn) out += "\n";
  std::size_t column = out.back() == '\n' ? 0 : out.size();
  bool first = true;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    if (!first && column + 1 + word.size() > kColumns) {
      out += "\n";
      column = 0;
      first = true;
    }
    if (first) {
      out += std::string(kTextColumn - column, ' ');
      column = kTextColumn;
    } else {
      out += " ";
      ++column;
    }
    out += word;
    column += word.size();
    first = false;
  }
  return out + "\n";
}

// A command with at most this many options always shows them all.
constexpr std::size_t kShortHelp = 24;

std::size_t num_options(const CLI::App& command) {
  std::size_t count = 0;
  for (const auto& [group, options] : option_groups(command)) count += options.size();
  return count;
}

std::string option_left(const CLI::Option& option) {
  const std::string value = value_name(option);
  const std::string names = fmt::format("{}", fmt::join(option_names(option), ", "));
  return value.empty() ? names : names + " " + value;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* command, std::string /*name*/,
                                     CLI::AppFormatMode mode) const {
  std::string out = command->get_description() + "\n\nUsage: " + usage(*command) + "\n";
  if (!arguments(*command).empty()) out += "\nArguments:\n";
  for (const CLI::Option* argument : arguments(*command)) {
    out += entry(argument->get_name(), described(*argument));
  }
  if (!subcommands(*command).empty()) out += "\nCommands:\n";
  for (const CLI::App* sub : subcommands(*command)) {
    out += entry(sub->get_name(), sub->get_description());
  }
  const bool all = mode == CLI::AppFormatMode::All || num_options(*command) <= kShortHelp;
  for (const auto& [group, options] : option_groups(*command)) {
    std::string entries;
    for (const CLI::Option* option : options) {
      if (all || !is_rare(*option)) {
        entries += entry(option_left(*option), described(*option));
      }
    }
    if (!entries.empty()) out += "\n" + group + ":\n" + entries;
  }
  if (!all) {
    out += fmt::format("\n'{} --help-all' shows all {} options.\n", full_name(*command),
                       num_options(*command));
  }
  if (!command->get_footer().empty()) out += "\n" + command->get_footer() + "\n";
  return out;
}

}  // namespace megadapt::cli
