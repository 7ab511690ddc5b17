#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "cli/options/option_tree.hpp"
#include "cli/text/help.hpp"

namespace megadapt::cli {
namespace {

constexpr std::size_t kManColumns = 76;

// Escapes text for roff: a backslash starts a command, a hyphen may be set as a dash, and a
// line must not begin with a dot or a quote.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// Breaks long lines between words; roff fills paragraphs anyway. Lines are broken before
// escaping, so that a dot at the start of a line is escaped.
std::string paragraph(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    const bool breaks = column > 0 && column + word.size() > kManColumns;
    if (breaks) column = 0;
    if (!out.empty()) out += breaks ? '\n' : ' ';
    out += word;
    column += word.size() + 1;
  }
  return escaped(out) + "\n";
}

std::string literal(const std::string& text) {
  return ".Bd -literal -compact\n" + escaped(text) + "\n.Ed\n";
}

std::string item(const std::string& names, const std::string& value,
                 const std::string& text) {
  std::string out = ".It Sy \"" + escaped(names) + "\"";
  if (!value.empty()) out += " Ar \"" + escaped(value) + "\"";
  return out + "\n" + paragraph(text);
}

std::string options_list(const std::vector<const CLI::Option*>& options) {
  std::string out = ".Bl -tag -width Ds\n";
  for (const CLI::Option* option : options) {
    out += item(fmt::format("{}", fmt::join(option_names(*option), ", ")),
                value_name(*option), described(*option));
  }
  return out + ".El\n";
}

std::string arguments_list(const CLI::App& command) {
  if (arguments(command).empty()) return "";
  std::string out = ".Bl -tag -width Ds\n";
  for (const CLI::Option* argument : arguments(command)) {
    out += item(argument->get_name(), "", described(*argument));
  }
  return out + ".El\n";
}

// What a command is called in the name of its page.
std::string page_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? page_name(*parent) + "-" + command.get_name() : command.get_name();
}

std::string heading(const std::string& page, const std::string& purpose) {
  std::string title = page;
  for (char& c : title) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  // No build date: the same sources give the same bytes.
  return ".Dd $Mdocdate$\n.Dt " + escaped(title) + " 1\n.Os\n.Sh NAME\n.Nm " +
         escaped(page) + "\n.Nd " + escaped(purpose) + "\n";
}

std::string options_sections(const CLI::App& command) {
  std::string out;
  for (const auto& [group, options] : option_groups(command)) {
    out += ".Ss " + escaped(group) + "\n" + options_list(options);
  }
  return out;
}

std::string examples_section(const CLI::App& command) {
  if (command.get_footer().empty()) return "";
  return ".Sh EXAMPLES\n" + literal(command.get_footer());
}

std::string see_also(const std::vector<const CLI::App*>& commands, bool main_page) {
  std::vector<std::string> lines;
  if (main_page) lines.emplace_back(".Xr megadapt 1");
  for (const CLI::App* command : commands) {
    lines.push_back(".Xr " + escaped(page_name(*command)) + " 1");
  }
  return fmt::format(".Sh SEE ALSO\n{}\n", fmt::join(lines, " ,\n"));
}

// The commands of a command, each with its purpose.
std::string commands_list(const CLI::App& command) {
  std::string out = ".Bl -tag -width Ds\n";
  for (const CLI::App* sub : subcommands(command)) {
    out += item(sub->get_name(), "", sub->get_description() + ".");
  }
  return out + ".El\n";
}

// The page of a command with commands of its own has their options too.
std::string sub_section(const CLI::App& command) {
  std::string out = ".Sh " + escaped(usage(command)) + "\n" +
                    escaped(command.get_description()) + ".\n" + arguments_list(command);
  return out + options_sections(command) +
         (command.get_footer().empty() ? "" : ".Pp\n" + literal(command.get_footer()));
}

std::string exit_status() {
  std::string out = ".Sh EXIT STATUS\n.Bl -tag -width Ds\n";
  for (const auto& [code, meaning] :
       {std::pair{"0", "Success."}, std::pair{"1", "A bug of the program."},
        std::pair{"2", "Wrong usage or bad input."},
        std::pair{"3", "The model file is damaged, foreign or newer."},
        std::pair{"4", "A requested check failed, such as that of --strict or doctor."},
        std::pair{"5", "Memory, time or disk ran out."},
        std::pair{"130", "Interrupted; no partial output is left."}}) {
    out += item(code, "", meaning);
  }
  return out + ".El\n";
}

ManPage command_page(const CLI::App& command) {
  const std::string name = page_name(command);
  std::string out = heading(name, command.get_description());
  out += ".Sh SYNOPSIS\n.Nm " + escaped(usage(command)) + "\n";
  out += ".Sh DESCRIPTION\n" + escaped(command.get_description()) + ".\n" +
         arguments_list(command);
  if (subcommands(command).empty()) {
    out += ".Sh OPTIONS\n" + options_sections(command) + examples_section(command);
  } else {
    out += commands_list(command);
    for (const CLI::App* sub : subcommands(command)) out += sub_section(*sub);
  }
  return {name, out + exit_status() + see_also({}, true)};
}

}  // namespace

std::vector<ManPage> man_pages(const CLI::App& app) {
  std::string out = heading("megadapt", app.get_description());
  out += ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op Ar OPTIONS\n";
  out += ".Sh DESCRIPTION\n" +
         escaped(
             "Trains classifiers on one or more domains, to serve one of them, and uses "
             "them.\nWhere a file is named, - means standard input or output; input may be "
             "compressed with gzip or zstd.\nEach command has a page of its own.") +
         "\n.Sh COMMANDS\n" + commands_list(app);
  out += ".Sh OPTIONS\nEvery command takes these:\n";
  for (const auto& [group, options] : option_groups(app)) out += options_list(options);
  out += exit_status() + see_also(subcommands(app), false);
  std::vector<ManPage> pages{{"megadapt", std::move(out)}};
  for (const CLI::App* command : subcommands(app)) pages.push_back(command_page(*command));
  return pages;
}

}  // namespace megadapt::cli
