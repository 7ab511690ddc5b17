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

// The group of options that all commands share is described once, at the end.
const char* const kCommon = "Common options";

std::string command_section(const CLI::App& command) {
  std::string out = ".Ss " + escaped(usage(command)) + "\n";
  out += escaped(command.get_description()) + ".\n";
  if (!arguments(command).empty()) {
    out += ".Bl -tag -width Ds\n";
    for (const CLI::Option* argument : arguments(command)) {
      out += item(argument->get_name(), "", described(*argument));
    }
    out += ".El\n";
  }
  for (const auto& [group, options] : option_groups(command)) {
    if (group == kCommon) continue;
    out += ".Pp\n" + escaped(group) + ":\n" + options_list(options);
  }
  if (!command.get_footer().empty()) out += ".Pp\n" + literal(command.get_footer());
  for (const CLI::App* sub : subcommands(command)) out += command_section(*sub);
  return out;
}

std::string exit_status() {
  std::string out = ".Sh EXIT STATUS\n.Bl -tag -width Ds\n";
  for (const auto& [code, meaning] :
       {std::pair{"0", "Success."}, std::pair{"1", "A bug of the program."},
        std::pair{"2", "Wrong usage or bad input."},
        std::pair{"3", "The model file is damaged, foreign or newer."},
        std::pair{"4", "Training did not converge and --strict was given."},
        std::pair{"5", "Memory, time or disk ran out."},
        std::pair{"130", "Interrupted; no partial output is left."}}) {
    out += item(code, "", meaning);
  }
  return out + ".El\n";
}

}  // namespace

std::string man_page(const CLI::App& app) {
  // No build date: the same sources give the same bytes.
  std::string out = ".Dd $Mdocdate$\n.Dt MEGADAPT 1\n.Os\n";
  out += ".Sh NAME\n.Nm megadapt\n.Nd " + escaped(app.get_description()) + "\n";
  out += ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op Ar OPTIONS\n";
  out += ".Sh DESCRIPTION\n" +
         escaped(
             "Trains classifiers on one or more domains, to serve one of them, and uses "
             "them.\nWhere a file is named, - means standard input or output; input may be "
             "compressed with gzip or zstd.") +
         "\n.Sh COMMANDS\n";
  for (const CLI::App* command : subcommands(app)) out += command_section(*command);
  out += ".Sh OPTIONS\nEvery command takes these:\n";
  for (const auto& [group, options] : option_groups(app)) out += options_list(options);
  return out + exit_status();
}

}  // namespace megadapt::cli
