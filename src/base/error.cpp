#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/messages.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kLongestExcerpt = 100;
constexpr std::string_view kCommand = "'megadapt ";

std::string located(const Place& place, const std::string& problem) {
  if (place.file.empty()) return problem;
  if (place.line == 0) return fmt::format("{}: {}", place.file, problem);
  return fmt::format("{}:{}: {}", place.file, place.line, problem);
}

std::string joined(const Place& place, const std::string& problem,
                   const std::string& remedy) {
  std::string text = located(place, problem);
  if (place.line > 0 && !place.text.empty()) {
    text += fmt::format("\n  {} | {}", place.line, excerpt(place.text));
  }
  if (!remedy.empty()) text += "\nfix: " + remedy;
  return text;
}

bool is_option_letter(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

// Replaces every `--name` in the text by spell("name"), except in commands such as
// 'megadapt compare --json'.
std::string respelled(const std::string& text, const OptionSpelling& spell) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, kCommand.size(), kCommand) == 0) {
      const std::size_t end = text.find('\'', at + 1);
      out += text.substr(at, end - at);
      at = std::min(end, text.size());
      continue;
    }
    const bool begins = text.compare(at, 2, "--") == 0 && at + 2 < text.size() &&
                        is_option_letter(text[at + 2]) &&
                        (at == 0 || !is_option_letter(text[at - 1]));
    std::size_t end = at + 2;
    while (begins && end < text.size() && is_option_letter(text[end])) ++end;
    if (begins) {
      out += spell(std::string_view(text).substr(at + 2, end - at - 2));
      at = end;
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace

Error::Error(std::string problem, std::string remedy, Place place)
    : std::runtime_error(joined(place, problem, remedy)),
      place_(std::move(place)),
      problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

std::string Error::headline() const { return located(place_, problem_); }

std::string Error::text(const OptionSpelling& spell) const {
  return joined(place_, respelled(problem_, spell), respelled(remedy_, spell));
}

InputError::InputError(Place place, std::string problem, std::string remedy)
    : Error(std::move(problem), std::move(remedy), std::move(place)) {}

std::string excerpt(std::string_view line) {
  std::string shown;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (shown.size() > kLongestExcerpt && (byte & 0xc0) != 0x80) return shown + "...";
    if (byte == '\t') {
      shown += "<TAB>";
    } else if (byte < 0x20 || byte == 0x7f) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += line[i];
    }
  }
  return shown;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

std::size_t index_of_name(std::string_view name, std::span<const std::string_view> names,
                          std::string_view problem) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw UsageError(
      fmt::format(fmt::runtime(problem), name),
      suggest(name, names, fmt::format("choose one of {}", fmt::join(names, ", "))));
}

}  // namespace megadapt
