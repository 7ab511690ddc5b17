#include "cli/text/mdoc.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace megadapt::cli::mdoc {
namespace {

constexpr std::size_t kManColumns = 76;

// Breaks long lines between words. This changes nothing on the page, because roff fills
// paragraphs. Lines are broken before escaping, so that a dot at the start of a line is
// escaped.
std::string filled(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ' ');) {
    const bool breaks = column > 0 && column + word.size() > kManColumns;
    if (breaks) column = 0;
    if (!out.empty()) out += breaks ? '\n' : ' ';
    out += word;
    column += word.size() + 1;
  }
  return escaped(out) + "\n";
}

}  // namespace

// A backslash starts a command, a hyphen may be set as a dash, and a line must not begin
// with a dot or a quote.
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

std::string literal(const std::string& text) {
  return ".Bd -literal -compact\n" + escaped(text) + "\n.Ed\n";
}

std::string item(const std::string& names, const std::string& value,
                 const std::string& text) {
  std::string out = ".It Sy \"" + escaped(names) + "\"";
  if (!value.empty()) out += " Ar \"" + escaped(value) + "\"";
  return out + "\n" + filled(text);
}

std::string list(const std::string& items) {
  return ".Bl -tag -width Ds\n" + items + ".El\n";
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

std::string exit_status(const std::vector<int>& codes) {
  static const std::map<int, std::string> meanings{
      {0, "Success."},
      {1, "A bug of the program."},
      {2, "Wrong usage or bad input."},
      {3, "The model file is damaged, foreign or newer."},
      {4, "A requested check failed, such as that of --strict or doctor."},
      {5, "Memory, time or disk ran out."},
      {130, "Interrupted; no partial output is left."}};
  std::string items;
  for (const int code : codes) items += item(fmt::to_string(code), "", meanings.at(code));
  return ".Sh EXIT STATUS\n" + list(items);
}

}  // namespace megadapt::cli::mdoc
