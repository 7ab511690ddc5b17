#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/option_tree.hpp"
#include "cli/text/help.hpp"
#include "cli/text/mdoc.hpp"

namespace megadapt::cli {
namespace {

const std::vector<int> kExitCodes{0, 1, 2, 3, 4, 5, 130};

std::string options_list(const std::vector<const CLI::Option*>& options) {
  std::string items;
  for (const CLI::Option* option : options) {
    items += mdoc::item(fmt::format("{}", fmt::join(option_names(*option), ", ")),
                        value_name(*option), described(*option));
  }
  return mdoc::list(items);
}

std::string arguments_list(const CLI::App& command) {
  if (arguments(command).empty()) return "";
  std::string items;
  for (const CLI::Option* argument : arguments(command)) {
    items += mdoc::item(argument->get_name(), "", described(*argument));
  }
  return mdoc::list(items);
}

// Returns the name of a command's page.
std::string page_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? page_name(*parent) + "-" + command.get_name() : command.get_name();
}

std::string options_sections(const CLI::App& command) {
  std::string out;
  for (const auto& [group, options] : option_groups(command)) {
    out += ".Ss " + mdoc::escaped(group) + "\n" + options_list(options);
  }
  return out;
}

std::string examples_section(const CLI::App& command) {
  if (command.get_footer().empty()) return "";
  return ".Sh EXAMPLES\n" + mdoc::literal(command.get_footer());
}

std::string see_also(const std::vector<const CLI::App*>& commands, bool main_page) {
  std::vector<std::string> lines;
  if (main_page) lines.emplace_back(".Xr megadapt 1");
  for (const CLI::App* command : commands) {
    lines.push_back(".Xr " + mdoc::escaped(page_name(*command)) + " 1");
  }
  return fmt::format(".Sh SEE ALSO\n{}\n", fmt::join(lines, " ,\n"));
}

// Returns the list of a command's subcommands, each with its purpose.
std::string commands_list(const CLI::App& command) {
  std::string items;
  for (const CLI::App* sub : subcommands(command)) {
    items += mdoc::item(sub->get_name(), "", sub->get_description() + ".");
  }
  return mdoc::list(items);
}

// Returns the section about a subcommand, with its options: subcommands have no pages of
// their own.
std::string sub_section(const CLI::App& command) {
  std::string out = ".Sh " + mdoc::escaped(usage(command)) + "\n" +
                    mdoc::escaped(command.get_description()) + ".\n" +
                    arguments_list(command);
  return out + options_sections(command) +
         (command.get_footer().empty() ? ""
                                       : ".Pp\n" + mdoc::literal(command.get_footer()));
}

ManPage command_page(const CLI::App& command) {
  const std::string name = page_name(command);
  std::string out = mdoc::heading(name, command.get_description());
  out += ".Sh SYNOPSIS\n.Nm " + mdoc::escaped(usage(command)) + "\n";
  out += ".Sh DESCRIPTION\n" + mdoc::escaped(command.get_description()) + ".\n" +
         arguments_list(command);
  if (subcommands(command).empty()) {
    out += ".Sh OPTIONS\n" + options_sections(command) + examples_section(command);
  } else {
    out += commands_list(command);
    for (const CLI::App* sub : subcommands(command)) out += sub_section(*sub);
  }
  return {name, out + mdoc::exit_status(kExitCodes) + see_also({}, true)};
}

}  // namespace

std::vector<ManPage> man_pages(const CLI::App& app) {
  std::string out = mdoc::heading("megadapt", app.get_description());
  out += ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op Ar OPTIONS\n";
  out += ".Sh DESCRIPTION\n" +
         mdoc::escaped(
             "Trains classifiers on one or more domains, to serve one of them, and uses "
             "them.\nWhere a file is named, - means standard input or output; input may be "
             "compressed with gzip or zstd.\nEach command has a page of its own.") +
         "\n.Sh COMMANDS\n" + commands_list(app);
  out += ".Sh OPTIONS\nEvery command takes these:\n";
  for (const auto& [group, options] : option_groups(app)) out += options_list(options);
  out += mdoc::exit_status(kExitCodes) + see_also(subcommands(app), false);
  std::vector<ManPage> pages{{"megadapt", std::move(out)}};
  for (const CLI::App* command : subcommands(app)) pages.push_back(command_page(*command));
  return pages;
}

}  // namespace megadapt::cli
