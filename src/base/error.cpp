#include "megadapt/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace megadapt {
namespace {

constexpr std::size_t kLongestExcerpt = 100;

std::string join(const std::string& problem, const std::string& fix,
                 const std::string& line) {
  std::string text = problem;
  if (!line.empty()) text += "\n" + line;
  if (!fix.empty()) text += "\nfix: " + fix;
  return text;
}

std::string locate(const Place& place, const std::string& problem) {
  if (place.line == 0) return fmt::format("{}: {}", place.file, problem);
  return fmt::format("{}:{}: {}", place.file, place.line, problem);
}

std::string numbered(const Place& place) {
  if (place.line == 0 || place.text.empty()) return {};
  return fmt::format("  {} | {}", place.line, excerpt(place.text));
}

}  // namespace

Error::Error(const std::string& problem, const std::string& fix, const std::string& line)
    : std::runtime_error(join(problem, fix, line)) {}

InputError::InputError(const Place& place, const std::string& problem,
                       const std::string& fix)
    : Error(locate(place, problem), fix, numbered(place)) {}

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

}  // namespace megadapt
